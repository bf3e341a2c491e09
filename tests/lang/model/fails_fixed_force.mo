// expect: ok
model Force "of a pendulum, which position and velocity determine"
  Real x(start = 6, fixed = true), y(start = 8), vx(start = 0, fixed = true) = der(x);
  Real lambda(start = 3, fixed = true);
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y + 9.8;
  x^2 + y^2 = 100;
end Force;
// expect fails: the start is over-determined: the fixed start value of 'lambda' (line 4) is missed by 2.2...
