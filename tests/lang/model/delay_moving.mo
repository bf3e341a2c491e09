// expect: ok
model Moving
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Real y = delay(x, 0.5 + 0.4*sin(3*time), 1);
  Real z(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(z) = -delay(z, 0.25, 0.5);
end Moving;
// y is sin of (t - 0.5 - 0.4 sin(3 t)); z by the method of steps
// expect y(0.05) = 0
// expect y(2) = 0.9991608521620798 +- 1e-8
// expect y(5.5) = -0.8406439714872324 +- 1e-8
// expect z(0.25) = 0.75 +- 1e-9
// expect z(0.5) = 0.53125 +- 1e-9
