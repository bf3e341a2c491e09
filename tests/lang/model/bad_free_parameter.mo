model BadFreeParameter
  parameter Integer n(fixed = false, start = 2);
  Real x[n]; // expect error at 3:10: 'n' is not known before the run: it is not fixed
  Real y annotation(__brink(domain = true)); // expect error at 4:8: 'domain' of 'y' needs a min or a max
initial equation
  n = 3;
end BadFreeParameter;
