model m
  Real x, y;
  x = 3; // expect error at 3:3: 'equation' expected before the first equation
  der(y) = 2;
  when x > 0 then
    reinit(x, y);
  end when;
  y = ; // expect error: an expression expected near ';'
end m;
function f
  input Real x;
  output Real y;
  if x > 0 then // expect error: 'algorithm' expected before the first statement
    y := 1;
  end if;
  x = 3; // expect error: ':=' expected near '='; '=' belongs among equations
end f;
block b
  Real y;
  y := 3; // expect error: 'algorithm' expected before the first statement
end b;
