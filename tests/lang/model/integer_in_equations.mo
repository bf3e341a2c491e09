// expect: ok
// an Integer on the right of an equation between Reals is read as one
model Counted
  Integer n(start = 2, fixed = true);
  Real x(start = 0.1, fixed = true), y;
equation
  der(x) = n;
  y = n;
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
  end when;
end Counted;
// stop 1.2
// expect x(1.2) = 3.4 +- 1e-12
// expect y(0.7) = 3 +- 0
