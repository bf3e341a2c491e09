model Twice "one constraint, written twice with two forces"
  Real x(start = 6), y(start = 8), lambda, mu;
equation
  der(der(x)) = -lambda*x - mu*x;
  der(der(y)) = -lambda*y - mu*y + 9.8;
  x^2 + y^2 = 100; // expect error: the equations depend on each other: if line 6 is replaced by line 6 - 0.5*line 7, and line 4 is replaced by line 4 + ((-x)/y)*line 5, then line 6 is too many for no variable, and nothing determines all of 'lambda', 'mu'
  2*x^2 + 2*y^2 = 200;
end Twice;
