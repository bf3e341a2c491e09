// expect: ok
// echoes through several delays, one of them short, do not crowd out what is remembered
model DelayOfDelays
  Real y = if time < 1.5 then sin(time) else cos(time);
  Real short = delay(y, 0.02), long = delay(y + 1, 2.25), chain = delay(delay(y, 0.5), 1.25);
end DelayOfDelays;
// expect short(4.5) = -0.23030294068205867 +- 1e-9
// expect long(4.5) = 0.37182637812 +- 1e-9
// expect chain(3) = 0.94898461935558621 +- 1e-9
// expect chain(4.5) = -0.92430237833 +- 1e-9
