model BadFreeParameter "what depends on a parameter that is found at the start is not known before"
  parameter Real k(fixed = false, start = 1);
  parameter Real q = 2*k + 1; // expect error at 3:22: the parameter 'q' cannot depend on 'k', which the initial equations find; make it a variable
  Real y(start = k, fixed = true); // expect error at 4:18: 'start' of 'y' must be made of parameters and constants
initial equation
  k*y = 3;
equation
  der(y) = -q*y;
end BadFreeParameter;
