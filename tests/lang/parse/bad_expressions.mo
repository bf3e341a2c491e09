model m
  Real a = 2*-3; // expect error at 2:14: a sign behind an operator needs parentheses: write (- x)
  Real b = 2^3^4; // expect error: '^' does not chain; write (a^b)^c or a^(b^c)
  Boolean c = 1 < 2 < 3; // expect error: relations do not chain; write a < b and b < c
  Real d = (1 + 2; // expect error: ')' expected near ';'
  Real e = if c then 1; // expect error: 'else' expected: an if-expression needs a value for every case
  Real f = {}; // expect error: an array {...} needs at least one element; an empty one is written zeros(0) or fill(x, 0)
  Real g = f(a = 1, 2); // expect error: a named argument expected: after the first 'name = value' all arguments need a name
  Real h = end + 1; // expect error: an expression expected near 'end'
  Real i = 1 + if c then 1 else 2; // expect error: 'if' inside an expression needs parentheses: (if c then a else b)
  Real j = ; // expect error: an expression expected near ';'
end m;
