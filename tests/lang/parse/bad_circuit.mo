// what a beginner's file may look like: one sentence per slip
model Circuit
  parameter Real R = 10 // expect error at 3:24: ';' expected before 'parameter'
  parameter Real C = 1e-3;
  Real v(start = 0, fixed = true; // expect error: ')' expected near ';'
  Real i;
equation
  C*der(v) = i;
  i = (5 - v)/R // expect error at 9:16: ';' expected before 'if'
  if v > 4 // expect error at 10:11: 'then' expected near 'i'
    i = 0;
  else
    i = 1;
  end if;
  when v > 3 then
    reinit(v, 0) // expect error at 16:17: ';' expected before 'end'
  end when;
  for k in 1:3 // expect error at 18:15: 'loop' expected near 'i'
    i = k;
  end for;
  annotation(experiment(StopTime = 1); // expect error: ')' expected near ';'
end Circuit;
