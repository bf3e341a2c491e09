// expect: ok
model FailsPole
  Real x(start = 0.3, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = cos(x);
  der(x) = 1/(1 - x);
end FailsPole;
// stop 5
// expect fails: ... at t = 0.24... der(x) = 1/(1 - x) (line 6): der(x) = ..., x = ...
