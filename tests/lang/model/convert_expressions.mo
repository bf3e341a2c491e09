// expect: ok
// The combination would contain der(x) + der(y) itself, so a new variable stands for that:
// x = sin(t), y = 1 + t^2.
model Expressions
  Real x(start = 0), y(start = 1);
equation
  exp(der(x) + der(y)) - x = exp(cos(time) + 2*time) - sin(time);
  der(x) + der(y) + y = cos(time) + 2*time + time^2 + 1;
initial equation
  x = 0;
end Expressions;
// expect x(0.9) = 0.78332690962748341 +- 1e-8
// expect y(0.9) = 1.81 +- 1e-8
