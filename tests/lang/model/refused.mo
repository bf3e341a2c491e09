function f
  input Real x;
  output Real y;
algorithm
  y := 2*x;
end f;
model M
  Real x;
end M;
model Refused
  M m;
  Real x, y;
equation
  y = f(x); // expect error: functions written in Modelica are not supported yet ('f')
  x = delay(y, 1); // expect error: 'delay' is not supported yet
  initialState(m); // expect error: modes ('initialState') are not supported yet
  connect(x, y); // expect error: 'connect' is not supported yet
algorithm // expect error: algorithm sections are not supported yet; write equations
  x := 1;
end Refused;
