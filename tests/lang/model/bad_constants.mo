model BadConstants
  constant Integer big = 9007199254740992;
  constant Integer n = big*big; // expect error at 3:24: Integer overflow: the result of '*' does not fit
  parameter Integer m = 123456789012345678; // expect error at 4:25: Integer overflow: this number does not fit; write it as a Real (with a point)
  Real x = 1/0; // expect error at 5:12: division by zero
  Real y = sqrt(-1); // expect error at 6:12: 'sqrt' has no value for these constants
  Real z = 10^400; // expect error at 7:12: '^' has no value for these constants
  constant Real a = b, b = a; // expect error at 8:17: the value of 'a' depends on itself
  parameter Real p = 2*q;
  parameter Real q = p/2;
  Real w = mod(3, 0); // expect error at 11:12: division by zero
end BadConstants;
