model BadArrays
  parameter Integer n = 3;
  Real x[n], y[2], s;
  Real z[m]; // expect error at 4:10: variable 'm' is not declared
  Real w[1000000000]; // expect error: the size of an array is 1000000000; it must lie between 0 and 4000000
  Real v[100000, 100000]; // expect error: the array 'v' has more than 4000000 elements
  Real u[-1]; // expect error: the size of an array is -1; it must lie between 0 and 4000000
equation
  x = y; // expect error: the two sides of this equation differ: a Real array of size [3] and a Real array of size [2]
  s = x[4]; // expect error at 10:9: subscript 4 is out of range: the size of 'x' is 3
  s = x; // expect error: the two sides of this equation differ: a Real and a Real array of size [3]
  x = x + 1; // expect error: '+' cannot join a Real array of size [3] and an Integer
  s = x[1.5]; // expect error: a subscript must be an Integer, not a Real
  s = {1, 2}*{1, 2, 3}; // expect error: '*' cannot multiply an Integer array of size [2] by an Integer array of size [3]
end BadArrays;
