// expect: ok
// set u.x=3
// set v[2].lane[1].x=5
record Signal
  Real x;
end Signal;
record Bus
  Signal lane[2];
end Bus;
model InputsInRecords
  input Signal u;
  input Bus v[2];
  input Signal bound(x = 2*time);
  input Signal given = Signal(7);
  output Signal y;
  Real z = v[2].lane[1].x + bound.x + given.x;
equation
  y = u;
end InputsInRecords;
// expect y.x(1) = 3
// expect z(1) = 14
