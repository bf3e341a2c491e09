// expect: ok
partial function Curve
  input Real x;
  input Real k = 2;
  output Real y;
protected
  Real square = x^2;
end Curve;
function parabola
  extends Curve;
algorithm
  y := k*square;
end parabola;
function steep
  extends parabola(k = 3.5);
end steep;
function steeper = steep(k = 5);
function shifted
  extends steep;
  input Real by = 0.25;
algorithm
  y := y + by;
end shifted;
model Inherits
  Real a = parabola(time), b = steep(time), c = steep(time, 7), d = steeper(time),
       e = shifted(time), f = shifted(time, by = 1, k = 2);
end Inherits;
// stop 1.5
// expect a(1.5) = 4.5 +- 1e-12
// expect b(1.5) = 7.875 +- 1e-12
// expect c(1.5) = 15.75 +- 1e-12
// expect d(1.5) = 11.25 +- 1e-12
// expect e(1.5) = 8.125 +- 1e-12
// expect f(1.5) = 5.5 +- 1e-12
