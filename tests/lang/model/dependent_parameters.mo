// expect: ok
// parameters that depend on those that initial equations find, in any order and of all types
model DependentParameters
  parameter Real sum = twice + both[2];
  parameter Real twice = 2*p;
  parameter Real p(fixed = false, start = -1) "p^2 = 6.25 has two solutions";
  parameter Real both[2] = {half, 3*twice};
  parameter Real half = 0.5;
  parameter Integer n(fixed = false, start = 2), odd = 2*n + 1;
  parameter Boolean many = twice < -3 and odd > 6;
  Real x(start = 1.25, fixed = true), y, begins(start = twice, fixed = true);
  model Decay
    parameter Real rate = 1;
    Real z(start = 0.75, fixed = true);
  equation
    der(z) = -rate*z;
  end Decay;
  Decay part(rate = sum/(-10));
initial equation
  p^2 = 6.25;
  n = 4;
  der(y) = 0;
equation
  der(x) = -twice;
  der(begins) = 1;
  der(y) = half*odd - y + (if many then 1 else 0);
end DependentParameters;
// expect twice(1) = -5 +- 1e-12
// expect begins(1) = -4 +- 1e-12
// expect sum(1) = -20 +- 1e-12
// expect odd(1) = 9
// expect many(1) = 1
// expect x(1) = 6.25 +- 1e-12
// expect y(1) = 5.5 +- 1e-12
// expect part.z(1) = 0.10150146242745953 +- 1e-8
