// expect: ok
model Halved "halved until it is at most 1; begins exactly there"
  Real y(start = 1, fixed = true), z, u(start = 0.5, fixed = true), left;
  Integer c, turns;
equation
  der(y) = 1;
  der(u) = 1;
algorithm
  z := y;
  c := 0;
  while z > 1 loop
    z := z/2;
    c := c + 1;
  end while;
algorithm
  left := u;
  turns := 0;
  while left > 1 loop
    left := left - 0.75;
    turns := turns + 1;
  end while;
end Halved;
// expect c(0.5) = 1
// expect c(1.5) = 2
// expect c(3.5) = 3
// expect z(1.5) = 0.625 +- 1e-12
// expect turns(0.25) = 0
// expect turns(1) = 1
// expect turns(1.9) = 2
// expect left(1.9) = 0.9 +- 1e-12
