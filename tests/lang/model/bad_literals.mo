model Wrong
  type E = enumeration(a, b, c);
  type F = enumeration(a, b, c);
  E x = E(4); // expect error at 4:9: E(4) does not exist: there are 3 literals
  E y = E(2.5); // expect error at 5:9: 'E' needs an Integer, not a Real
  E z = E(true); // expect error at 6:9: 'E' needs an Integer, not a Boolean
  E w = E(); // expect error at 7:9: 'E' takes one argument, the number of a literal
  E v = E(1, 2); // expect error at 8:9: 'E' takes one argument, the number of a literal
  E u = E(E.a); // expect error at 9:9: 'E' needs an Integer, not an enumeration 'E'
  Integer i = E.min; // expect error at 10:15: 'E' has no element 'min'
  E t[2] = E.a:F.b; // expect error at 11:12: a range needs numbers, or two Booleans or literals of an enumeration, that are known before the run
  E s[2] = E.a:1:E.c; // expect error at 12:12: a range needs numbers, or two Booleans or literals of an enumeration, that are known before the run
end Wrong;
