// expect: ok
model FailsAtStart
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), u;
equation
  der(x) = -1;
  der(y) = 1;
  u = sqrt(x - 2) + x + y;
end FailsAtStart;
// stop 5
// expect fails: at the start, sqrt(x - 2) has no value: x - 2 = -1, x = 1, y = 0.5, in u = sqrt(x - 2) + x + y (line 7) at t = 0
