// expect: ok
model ParameterOnTheLeft "an equation with a parameter alone on one side is for the other"
  parameter Real pull = 0.375;
  Real x(start = 0.5, fixed = true), u;
equation
  pull = if x > 1 then u - x else u + 2*x;
  der(x) = 1;
end ParameterOnTheLeft;
// expect u(0.25) = -1.125 +- 1e-9
// expect u(0.75) = 1.625 +- 1e-9
