model BadCycle
  parameter Real p = 2*q; // expect error: the value of 'p' depends on itself
  parameter Real r = 1;
  parameter Real q = p/r;
end BadCycle;
