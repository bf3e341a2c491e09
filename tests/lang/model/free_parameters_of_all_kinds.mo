// expect: ok
model FreeParametersOfAllKinds "whole ones, and those that 'when initial()' sets"
  type Color = enumeration(red, green, blue);
  parameter Integer n(fixed = false, start = 2);
  parameter Boolean on(fixed = false);
  parameter Color c(fixed = false);
  parameter Real p(fixed = false, start = 1), q(fixed = false);
  Real x(start = 2.5, fixed = true);
  discrete Real d;
initial equation
  n = integer(x) + 1;
  on = x > 2;
  c = if on then Color.blue else Color.green;
  d = 2*n;
equation
  der(x) = -p*x + (if on then q else 0) - n;
  when initial() then
    p = 3*x;
  end when;
  when time > 0.5 then
    d = pre(d) + Integer(c);
  end when;
algorithm
  when initial() then
    q := p + 1;
  end when;
end FreeParametersOfAllKinds;
// expect n(1) = 3
// expect on(1) = 1
// expect p(1) = 7.5
// expect q(1) = 8.5
// expect d(0.25) = 6
// expect d(1) = 9
// expect x(1) = 0.7343104490539278 +- 1e-7
