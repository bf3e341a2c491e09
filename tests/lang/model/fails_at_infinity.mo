// expect: ok
model FailsAtInfinity
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = x;
  der(x) = x^2;
end FailsAtInfinity;
// stop 5
// expect fails: x is no longer finite, in der(w) = x (line 5) at t = 1; no smaller step avoids it
