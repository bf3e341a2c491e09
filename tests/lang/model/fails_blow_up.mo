// expect: ok
model FailsBlowUp
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = x;
  der(x) = x^2;
end FailsBlowUp;
// stop 5
// expect fails: step size ... at t = 1 is below 8.88e-16: der(x) = x^2 (line 6): der(x) = ..., x = ...; is the problem stiff, or does the solution end here?
