// expect: ok
// the combination depends on parameters and on a variable: x = sin(t), y = 2 + cos(t)
model WithParameters
  parameter Real a = 2, b = 3;
  Real x(start = 0), y(start = 3), z(start = 0, fixed = true);
equation
  a*der(x) + b*y*der(y) = a*cos(time) - b*(2 + cos(time))*sin(time) + z - x;
  b*der(x) + b^2/a*y*der(y) = b*cos(time) - b^2/a*(2 + cos(time))*sin(time) + y - 2 - cos(time);
  der(z) = cos(time) + (x - z);
initial equation
  y = 3;
end WithParameters;
// expect y(0) = 3 +- 1e-12
// expect x(1.7) = 0.99166481045246857 +- 1e-8
// expect y(1.7) = 1.8711555057044753 +- 1e-8
