// expect: ok
model FailsStep
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = x;
  der(x) = -1/x;
end FailsStep;
// stop 5
// expect fails: step size ... at t = 0.5 is below 4.44e-16: der(x) = -1/x (line 6): der(x) = -..., x = ...; is the problem stiff, or does the solution end here?
