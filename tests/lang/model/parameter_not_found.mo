// expect: ok
model ParameterNotFound
  parameter Real p(fixed = false, start = 0.5); // expect warning at 3:18: no initial equation finds the parameter 'p', which is not fixed; its start value is taken
  Real x(start = 1, fixed = true);
equation
  der(x) = -p*x;
end ParameterNotFound;
// expect x(2) = 0.36787944117144233 +- 1e-8
