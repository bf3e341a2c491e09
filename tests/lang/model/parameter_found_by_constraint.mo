// expect: ok
// The length is what the fixed position asks for, and there is no warning that nothing
// finds it; nothing finds the mass.
model ParameterFoundByConstraint
  parameter Real L(fixed = false, start = 2);
  parameter Real m(fixed = false, start = 1.5); // expect warning at 6:18: no initial equation finds the parameter 'm', which is not fixed; its start value is taken
  Real x(start = 0.9, fixed = true), y(start = -1.2, fixed = true);
  Real vx, vy(start = 0.3, fixed = true), F;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*9.81;
  x^2 + y^2 = L^2;
end ParameterFoundByConstraint;
// expect L(0) = 1.5 +- 1e-13
// expect vx(0) = 0.4 +- 1e-13
