model m
  Real a = {i for in 1:3}; // expect error: a loop variable expected near 'in', which is a keyword
  Real b = sum(x for i in ); // expect error: an expression expected near ')'
  Real d(each final start); Real e(final each start = 1); // expect error: a name expected near 'each', which is a keyword
  T t(redeclare model R); // expect error: '=' expected near ')'
  Real f = function g(a = 1); // expect error: an expression expected near 'function'
  Real g = f(a, b for i in 1:3); // expect error: ')' expected near 'for'
equation
  connect(1, x); // expect error: a name expected near '1'
  connect(x); // expect error: ',' expected near ')'
  a = x.; // expect error: a name expected near ';'
end m;
