// expect: ok
model Position "of a pendulum, given and not on its circle"
  Real x(start = 3, fixed = true), y(start = 5, fixed = true), lambda;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y + 9.8;
  x^2 + y^2 = 100;
end Position;
// expect fails: ... x^2 + y^2 = 100 (line 7) is missed by 66, ...
