model BadFreeParameter "what depends on a parameter that is found at the start is not known before"
  parameter Real k(fixed = false, start = 1);
  Real y(start = k + y, fixed = true); // expect error at 3:18: 'start' of 'y' must be made of parameters and constants
  parameter Real z = y; // expect error at 4:22: the parameter 'z' cannot depend on a variable
  Real w(max = 2*k); // expect error at 5:16: 'max' of 'w' must be made of parameters and constants
initial equation
  k*y = 3;
equation
  der(y) = -k*y;
  der(w) = 0;
end BadFreeParameter;
