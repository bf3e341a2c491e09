// expect: ok
model FailsHomotopy "the actual equation has no solution: the path turns back"
  Real x(start = 1, fixed = true), p(start = 1);
equation
  homotopy(actual = p^2 + x, simplified = p) = 0.25;
  der(x) = -x;
end FailsHomotopy;
// expect fails: homotopy (line 5) turns back for good at lambda = 0.4309...: no solution of p^2 + x = 0.25 (line 5) near p = -0.7..., with x = 1 at t = 0
