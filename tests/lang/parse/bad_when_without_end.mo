// the when is never closed
model ball
  Real h(start = 1.13);
equation
  when h < 0 then
    reinit(h, -h);
end ball;   // expect error line 7: 'end when' expected (to close 'when' at line 5)
