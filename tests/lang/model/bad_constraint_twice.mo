model ConstraintTooMany "the same constraint twice, and one force"
  Real x(start = 6), y(start = 8), lambda;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 100;
  x^2 + y^2 = 100; // expect error: 4 equations for 3 variables; the equations at lines 4, 5, 6, 7 are too many for 'x', 'y', 'lambda'
end ConstraintTooMany;
