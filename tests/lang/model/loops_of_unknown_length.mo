// expect: ok
// a for whose end is not known makes as many turns as it says, up to 64
function triangle
  input Integer n;
  output Real s = 0;
algorithm
  for k in 2:n loop
    if k > 5 then
      break;
    end if;
    s := s + k*k;
  end for;
end triangle;
model Turns
  Integer n(start = 1, fixed = true);
  Real s = triangle(n), t = sum(table[i] for i in 1:2);
  parameter Real table[2] = {0.25, 0.5};
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
end Turns;
// expect s(0.05) = 0
// expect s(0.15) = 4
// expect s(0.35) = 29
// expect s(0.95) = 54
