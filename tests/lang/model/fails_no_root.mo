// expect: ok
model FailsNoRoot
  Real m(start = 1), x(start = 0.5, fixed = true);
equation
  exp(m) = 0;
  der(x) = m - x;
end FailsNoRoot;
// expect fails: at the start, no solution of exp(m) = 0 (line 5) near m = ... at t = 0
