// expect: ok
model FailsHomotopySimplified
  Real x(start = 1, fixed = true), p(start = 1);
equation
  homotopy(actual = p - x, simplified = p^2 + 2*x) = 0.25;
  der(x) = -x;
end FailsHomotopySimplified;
// expect fails: homotopy (line 5) finds no start of what is simplified: no solution of p^2 + 2*x = 0.25 (line 5) near p = ..., with x = 1 at t = 0
