// expect: ok
// conditions of very different size, and a guess at which there is no slope or no value
model ScaledStarts
  Real hares, lynxes;
  Real a, b, c(start = 1e-9, nominal = 1e-9), r(start = 0), s;
  parameter Real p(fixed = false);
initial equation
  1e-10*der(lynxes) = 1e-10*20;
  150*lynxes + 12*hares = 11000;
  1e9*a + 1e-9*b = 3;
  1e-18*a + 1e-18*b = 2e-9;
  c^2 = 6.25e-18;
  p^2 = 2.25;
  s = 2;
equation
  der(hares) = 0.4*hares - 0.005*hares*lynxes;
  der(lynxes) = -0.9*lynxes + 0.005*hares*lynxes;
  der(a) = 0;
  der(b) = 0;
  der(c) = 0;
  der(r) = p;
  s = sin(r)/r + r;
end ScaledStarts;
// expect lynxes(0) = 6.0511922011674794 +- 1e-12
// expect a(0) = 1e-9 +- 1e-22
// expect b(0) = 2e9 +- 1e-5
// expect c(0) = 2.5e-9 +- 1e-23
// expect p(0) = 1.5 +- 1e-15
// expect r(0) = 1.2357835607579308 +- 1e-12
