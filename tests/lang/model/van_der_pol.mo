// expect: ok
// set lambda=0.5
class VanDerPol "Van der Pol oscillator model"
  Real x(start = 1, fixed = true) "Descriptive string for x";
  Real y(start = 1, fixed = true) "y coordinate";
  parameter Real lambda = 0.3;
equation
  der(x) = y;
  der(y) = - x + lambda*(1 - x*x)*y;
end VanDerPol;
// expect flat: parameter lambda = 0.5
// expect flat: eqn der(y) = lambda*(1 - x*x)*y - x
