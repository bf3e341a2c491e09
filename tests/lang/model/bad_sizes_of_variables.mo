function half
  input Real v[:];
  output Real w[div(size(v, 1), 2)] = v[1:div(size(v, 1), 2)];
end half;
model BadSizes
  Real x[4];
  Real a[:] = half(x); // expect error at 7:15: the size of 'a' cannot be told from its value, which is not known before the run; write it
  Real b[:] = 2*nowhere; // expect error at 8:17: variable 'nowhere' is not declared
  Real c[:, :] = 2*x; // expect error at 9:18: 'c' has 2 dimensions, its value has 1
  Real d[:] = time; // expect error at 10:15: 'd' has 1 dimensions, its value has 0
  Real e[:] = e; // expect error at 11:8: the size of 'e' depends on itself
  Real f[:]; // expect error at 12:8: 'f' has neither a size nor a value
end BadSizes;
