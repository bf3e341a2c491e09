model BadTypes
  Real x;
  Integer n;
  Boolean b;
  String s = 5; // a String that nobody reads
equation
  x = b; // expect error at 7:3: the two sides of this equation differ: a Real and a Boolean
  b = 1; // expect error: the two sides of this equation differ: a Boolean and an Integer
  n = x; // expect error: the Integer 'n' cannot equal a Real; use integer(...)
  x = 1 + b; // expect error at 10:7: '+' cannot join an Integer and a Boolean
  b = not x; // expect error at 11:7: 'not' needs a Boolean, not a Real
  b = x and b; // expect error at 12:7: 'and' needs a Boolean, not a Real
  x = if x then 1 else 2; // expect error at 13:10: a condition is a Real, but a Boolean is expected
  x = if b then 1 else false; // expect error at 14:7: the branches of this 'if' differ: an Integer and a Boolean
  b = x < b; // expect error at 15:7: '<' cannot compare a Real and a Boolean
end BadTypes;
