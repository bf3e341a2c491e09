record A
  Real x;
end A;
function f
  input A a[2];
  output Real y;
algorithm
  y := a[1].x;
end f;
model BadRecords
  A a[3];
  A b[2] = {A(1), A(2)};
  Real y = f(a); // expect error at 13:12: 'a' of the function 'f' does not fit: it is given a record 'A' array of size [3]
  Real z = a[4].x; // expect error at 14:14: subscript 4 is out of range: the size is 3
equation
  a = b; // expect error at 16:3: the two sides of this equation differ: a record 'A' array of size [3] and a record 'A' array of size [2]
end BadRecords;
