function trace
  input Real A[:, size(A, 1)];
  output Real t = sum(A[i, i] for i in 1:size(A, 1));
end trace;
model Wrong
  Cell c[0];
  model Cell
    Real q = 1;
  end Cell;
  Real x = trace([1, 2, 3; 4, 5, 6]); // expect error at 10:12: 'A' of the function 'trace' does not fit: it is given a Real array of size [2,3]
  Real y = sum(c.p); // expect error at 11:16: 'c' has no component 'p'
end Wrong;
