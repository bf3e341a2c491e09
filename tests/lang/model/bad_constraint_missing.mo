model ConstraintWithoutForce "the force acts on nothing, and z is in no equation"
  Real x(start = 6), y(start = 8);
  Real lambda, z; // expect error: 3 equations for 4 variables; no equation determines 'z' (line 3)
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 100;
end ConstraintWithoutForce;
