model m
  Real x, y;
equation
  x := 1; // expect error: '=' expected near ':='; ':=' belongs in an algorithm
  x == 1; // expect error: an equation is written with '=', not with '=='
  x + 1; // expect error: '=' expected near ';'
  x = y = 3; // expect error: an equation has one '='; equality inside an expression is written '=='
algorithm
  x = 1; // expect error: ':=' expected near '='; '=' belongs among equations
  (x, y) := 3; // expect error: a function call expected on the right of '(...) :='
  f(x) := 3; // expect error: a variable expected on the left of ':=', not a call
  3 := x; // expect error: a statement expected near '3'
  return; // expect error: 'return' can stand inside a function only
  break; // expect error: 'break' can stand inside a for or while loop only
end m;
