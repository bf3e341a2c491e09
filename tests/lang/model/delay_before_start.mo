// expect: ok
// what a delay reads before the start is found with the start, also where repetition diverges
model DelayBeforeStart
  Real x, y(start = 1), z(start = 0.5), s(start = 0, fixed = true);
equation
  x = 3*delay(x, 1) - 1.5;
  y = 3 - delay(y, 0.5)^2;
  der(z) = delay(s + 2*z, 0.25) - 3;
  der(s) = x;
initial equation
  der(z) = 0;
end DelayBeforeStart;
// expect x(0.5) = 0.75 +- 1e-12
// expect y(0.25) = 1.3027756377319946 +- 1e-12
// expect z(0) = 1.5 +- 1e-12
