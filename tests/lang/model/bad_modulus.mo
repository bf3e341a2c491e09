model BadModulus
  Real x = time + 1;
  Real a = mod(x, 0); // expect error at 3:12: division by zero
  Real b = div(x, 0); // expect error at 4:12: division by zero
  Real c = rem(x, 0); // expect error at 5:12: division by zero
end BadModulus;
