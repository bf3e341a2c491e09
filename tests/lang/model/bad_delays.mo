function f
  input Real x;
  output Real y;
algorithm
  y := delay(x, 1); // expect error at 5:8: 'delay' cannot be used here
end f;
model BadDelays
  Real d = 0.1 + 0.01*time;
  Real a = delay(time, d); // expect error at 9:12: a delay that changes needs a third argument: the longest it can be
  Real b = delay(time, 0.1, d); // expect error at 10:12: the longest delay must be made of parameters
  Real c = delay(time, -1); // expect error at 11:12: the delay is -1; it must not be negative
  Real e = der(delay(time, 0.1)); // expect error at 12:12: 'der' cannot look through 'delay'; delay the derivative
  Real g = f(time);
  Real h = delay(true, 1); // expect error at 14:12: the argument of 'delay' is a Boolean, but a Real is expected
end BadDelays;
