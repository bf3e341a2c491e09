// expect: ok
model Derivatives
  parameter Real w = 2;
  Real x(start = 1, fixed = true), y, z;
equation
  der(der(x)) = -w^2*x;
  y = der(x*sin(time));
  z = der(w) + der(2*x);
end Derivatives;
// expect flat: hidden der(x): Real continuous
// expect flat: eqn der(x) = der(x)
// expect flat: eqn der(der(x)) = -w^2*x
// expect flat: eqn z = 2*der(x)
// expect x(0.7) = 0.16996714290024 +- 1e-8
