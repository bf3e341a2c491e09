model BadLimits2
  parameter Real a = -2;
  Real x(start = 3, fixed = true, max = sqrt(a)); // expect error at 3:8: the max of 'x' does not exist
equation
  der(x) = 1;
end BadLimits2;
