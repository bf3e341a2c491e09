// expect: ok
// what the equations determine, der(x) + der(y)^3, is not linear in the derivatives
model Unconverted
  Real x(start = 1), y(start = 1);
equation
  (der(x) + der(y)^3)^2 = x; // expect warning: the equations at lines 6, 7 cannot determine der(x), der(y): ...
  sin(der(x) + der(y)^3) = 0.2*y;
end Unconverted;
// expect fails: at the start, no unique solution of sin(der(x) + der(y)^3) = 0.2*y (line 7) and (der(x) + der(y)^3)^2 = x (line 6) ...
