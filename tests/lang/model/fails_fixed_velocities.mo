// expect: ok
model Velocities "of a pendulum, both given and not along its circle"
  Real x(start = 6, fixed = true), y(start = 8, fixed = true), lambda;
initial equation
  der(x) = 1;
  der(y) = 1;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y + 9.8;
  x^2 + y^2 = 100;
end Velocities;
// expect fails: the start is over-determined: x^2 + y^2 = 100 (line 10), differentiated once is missed by 28, ... it contradicts ...
