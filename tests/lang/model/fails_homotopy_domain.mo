// expect: ok
model FailsHomotopyDomain "the actual argument has no value where the path comes to"
  Real x(start = 1, fixed = true), p(start = 1);
equation
  homotopy(actual = sqrt(3 - p), simplified = p) = 4*x;
  der(x) = -x;
end FailsHomotopyDomain;
// expect fails: homotopy (line 5) cannot leave lambda = 0: sqrt(3 - p) has no value: 3 - p = -1, p = 4, x = 1, in sqrt(3 - p) = 4*x (line 5) at t = 0
