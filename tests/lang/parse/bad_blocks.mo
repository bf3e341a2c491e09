model m
  Real x;
equation
  if x > 0 then
    x = 1;
  end when; // expect error: 'end if' expected (to close 'if' at line 4)
  when x > then // expect error: an expression expected near 'then'
    x = 2;
  end when;
  if x = 0 then // expect error: 'then' expected near '='; equality is written '=='
    x = 3;
  end if;
  for i = 1:3 loop // expect error: 'in' expected near '=': for i in 1:n
    x = i;
  end for;
  while x > 0 loop // expect error: 'while' can stand in an algorithm only, not among equations
  end while;
  when x > 1 then
    x = 5;
  else // expect error: a 'when' has no 'else'; use 'elsewhen' or another 'when'
    x = 6;
  end when;
  break; // expect error: 'break' can stand in an algorithm only
end m;
