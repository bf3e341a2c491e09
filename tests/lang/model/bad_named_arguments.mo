function weigh
  input Real a, b = 1;
  output Real y = a + b;
end weigh;
record Pair
  Real a = 0, b = 0;
end Pair;
model BadNamedArguments
  Real x[2] = {1, 2}, y;
  Integer n = size(x, dim = 1); // expect error at 10:23: 'size' takes its arguments by position, not by name
  Real s = sin(u = time); // expect error at 11:16: 'sin' takes its arguments by position, not by name
  Real d = delay(y, delayTime = 1, expr = 2); // expect error at 12:36: the argument 'expr' of 'delay' is given twice
  Real e = semiLinear(x = 1, up = 2, down = 3); // expect error at 13:30: 'semiLinear' has no argument 'up'; its arguments are x,positiveSlope,negativeSlope
  Real f = weigh(1, a = 2); // expect error at 14:21: the argument 'a' of 'weigh' is given twice
  Real g = weigh(b = 1, a = 2, b = 3); // expect error at 15:12: 'weigh' takes 2 arguments, not 3
  Pair p = Pair(a = 1, a = 2); // expect error at 16:24: the field 'a' of 'Pair' is given twice
  Pair q = Pair(1, c = 2); // expect error at 17:20: the record 'Pair' has no field 'c'
  Real z = size(x, 1, 2); // expect error at 18:12: 'size' takes 1 to 2 arguments, not 3
equation
  assert(y > 0, cond = true); // expect error at 20:17: 'assert' has no argument 'cond'; its arguments are condition,message,level
  y = 1;
end BadNamedArguments;
