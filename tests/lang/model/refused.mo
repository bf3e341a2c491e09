model M
  Real x;
end M;
model Refused
  M m;
  Real x, y;
equation
  x = delay(y, 1); // expect error: 'delay' is not supported yet
end Refused;
