function sum2
  input Real x, y;
  output Real s = x + y;
end sum2;
function both
  input Real x;
  output Real a = x, b = -x;
end both;
model Wrong
  Real a[2] = sum2({1, 2}, {1, 2, 3}); // expect error at 10:28: 'sum2' is called for each element, but its arguments have different sizes: an Integer array of size [2] and an Integer array of size [3]
  Real b = sum(sum2(fill(1, 0), 2)); // expect error at 11:16: 'sum2' is called for each element of an empty array
  Real c[2], d[2];
equation
  (c, d) = both({1, 2}); // expect error at 14:12: 'x' of the function 'both' does not fit: it is given a Real array of size [2]
end Wrong;
