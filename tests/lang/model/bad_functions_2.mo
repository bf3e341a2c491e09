function h
  input Real x;
  output Real y;
algorithm
  x := 2; // expect error at 5:3: 'x' cannot be assigned to
  y := 1;
end h;
function k
  input Real x;
  output Real y;
  output Real z; // expect error at 11:15: the output 'z' of 'k' gets no value
algorithm
  y := 1;
end k;
record R
  Real a, b;
end R;
function ext
  input Real x;
  output Real y;
external "C" y = foo(x); // expect error at 21:1: an 'external' function is not supported; write it as an algorithm in Modelica
end ext;
model BadFunctions2
  Real a, b;
  R r;
equation
  a = h(1);
  a = k(1);
  r = R(1); // expect error at 29:7: the field 'b' of 'R' is missing
  r = R(1, 2, 3); // expect error at 30:7: the record 'R' has 2 fields, not 3
  a = ext(1);
  a = R(1, 2); // expect error at 32:3: the two sides of this equation differ: a Real and a record 'R'
end BadFunctions2;
