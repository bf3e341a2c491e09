model Wrong
  type E = enumeration(a, b);
  parameter String s[2] = {"p", "q"};
  record R
    Real x = 1;
  end R;
  parameter R r[2];
  Real a = min(s); // expect error at 8:12: 'min' needs a number, not a String array of size [2]
  Real b = max(r); // expect error at 9:12: 'max' needs a number, not a record 'R' array of size [2]
  Real c[4] = cat(1, s, {1, 2}); // expect error at 10:15: argument 3 of 'cat' is an Integer, but a String is expected
  E d[2] = cat(1, {E.a}, {true}); // expect error at 11:12: argument 3 of 'cat' is a Boolean, but an enumeration 'E' is expected
  Real e[2, 2] = [s; 1]; // expect error at 12:18: the elements of an array must be alike, not a String and an Integer
  Real f[2, 2] = [{{{1}}}, 2]; // expect error at 13:18: the parts of a matrix have at most two dimensions
end Wrong;
