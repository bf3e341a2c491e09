// expect: ok
model FailsAtInfinity
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = x;
  der(x) = 1000*x;
  annotation(__brink(method = "dopri5"));
end FailsAtInfinity;
// stop 5
// expect fails: x is no longer finite, in der(w) = x (line 5) at t = 0.70...; no smaller step avoids it: end or change the law before, by a when or an if
