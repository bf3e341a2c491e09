model BadHomotopy
  Real x(start = 1, fixed = true), y[2], z;
  Boolean b;
equation
  der(x) = -x;
  y = homotopy({x, 1}, {x, 2, 3}); // expect error at 6:7: the arguments of 'homotopy' differ in size: a Real array of size [2] and a Real array of size [3]
  z = homotopy(actual = x, simple = 2); // expect error at 7:28: 'homotopy' has no argument 'simple'; its arguments are actual,simplified
  b = homotopy(x > 1, true); // expect error at 8:7: the actual argument of 'homotopy' is a Boolean, but a Real is expected
end BadHomotopy;
