// expect: ok
// A derivative takes the nominal value of what it is the derivative of, also through an
// equality; der(der(x)) as well.  In the other direction nothing is taken.
model NominalOfDerivatives
  parameter Real w = 2*3.14159265358979324;
  Real x(start = 2e-15, fixed = true, nominal = 1e-15), u, v(start = 0, fixed = true), a;
  Real y(start = 0, fixed = true), s(nominal = 1e-15, start = 2e-15, fixed = true);
equation
  der(x) = u;
  u = -v;
  a = der(v);
  a = w^2*x;
  der(y) = s;
  der(s) = -w^2*y;
end NominalOfDerivatives;
// expect x(10) = 2e-15 +- 1e-22
// expect v(10) = 0 +- 1e-21
// expect warns 0: state 'y' is never larger than ..., and its absolute tolerance is 1e-12: ...
