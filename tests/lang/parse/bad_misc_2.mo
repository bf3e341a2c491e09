within A.; // expect error: a name expected near ';'
function f
  input Real x;
  output Real y;
algorithm
  (x, y) = g(x); // expect error: ':=' expected near '='
  connect(x, y); // expect error: 'connect' can stand among equations only
  for i in 1:3 do // expect error: 'loop' expected near 'do'
    y := i;
  end for;
  if x > 0 then
    y := 1;
  elsewhen x < 0 then // expect error: 'end if' expected (to close 'if' at line 11)
    y := 2;
  end if;
end f;
model m
  Real c = 1:2:3:4; // expect error: ';' expected before ':'
  annotation(a = ); // expect error: an expression expected near ')'
  annotation(experiment(StopTime 1)); // expect error: ')' expected near '1'
  external "C" f(1; // expect error: ')' expected near ';'
end m;
