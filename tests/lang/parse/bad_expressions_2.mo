model m
  Real a = b != c; // expect error: '!=' is written '<>' in Modelica
  Real b = b && c || !d; // expect error: '&&' is written 'and' in Modelica
  // expect error at 3:19: '||' is written 'or' in Modelica
  // expect error at 3:22: '!' is written 'not' in Modelica
  Real c = 2**3; // expect error: '**' is written '^' in Modelica
  Real d = x[1, ; // expect error: an expression expected near ';'
  Real e = der x; // expect error: '(' expected near 'x'
  Real f = (); // expect error: an expression expected between '(' and ')'
  Real g(start == 1); // expect error: '=' expected near '=='
  Real x[3](start[1] = 2); // expect error: a modification cannot pick elements of an array; give the whole array a value: x(start = {1, 2})
end m;
