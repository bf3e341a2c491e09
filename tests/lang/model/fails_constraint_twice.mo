// expect: ok
model Twice "one constraint, written twice with two forces"
  Real x(start = 6), y(start = 8), lambda, mu;
equation
  der(der(x)) = -lambda*x - mu*x;
  der(der(y)) = -lambda*y - mu*y + 9.8;
  x^2 + y^2 = 100;
  2*x^2 + 2*y^2 = 200;
end Twice;
// expect fails: at the start, no unique solution of 2*x^2 + 2*y^2 = 200 (line 8), differentiated 2 times and x^2 + y^2 = 100 (line 7), differentiated 2 times ...
