model BadMatrices
  Real a[2, 2] = symmetric([1, 2, 3; 4, 5, 6]); // expect error at 2:18: 'symmetric' needs a square matrix, not an Integer array of size [2,3]
  Real b[3, 3] = skew({1, 2}); // expect error at 3:18: 'skew' needs a vector of size 3, not an Integer array of size [2]
  Real c[2, 2] = outerProduct({1, 2}, [1; 2]); // expect error at 4:18: 'outerProduct' needs two vectors
  Real d[1, 1] = matrix({{{1, 2}}}); // expect error at 5:18: 'matrix' needs an array whose third and further dimensions are 1, not an Integer array of size [1,1,2]
  Boolean e[2] = symmetric({{true, false}, {true, true}}); // expect error at 6:18: 'symmetric' needs a number, not a Boolean array of size [2,2]
  Real f[2] = array(1, {2, 3}); // expect error at 7:15: the elements of an array must be alike, not an Integer and an Integer array of size [2]
end BadMatrices;
