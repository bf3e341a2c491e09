// expect: ok
partial model Pin
  Real v, i;
end Pin;
model Resistor
  extends Pin(i(start = 1));
  parameter Real R(final unit = "Ohm", min = 0) = 1;
equation
  v = R*i;
end Resistor;
model Pair
  Resistor r1(R = k), r2(final R = 2*k);
  parameter Real k = 5;
  parameter Boolean extra = false;
  Resistor r3(R = 4) if extra;
end Pair;
model Circuit = Pair(k = 10, r1.R = 3);
model Top
  Circuit c(r1(i(start = 2))), d(k = 20);
  Real sum = c.r1.v + d.r2.v;
equation
  c.r1.v = 1;
  c.r2.v = 2;
  d.r1.i = 1;
  d.r2.i = sin(time);
end Top;
// expect flat: parameter c.r1.R = 3.0 min = 0.0 unit "Ohm"
// expect flat: parameter c.r2.R = 2*c.k min = 0.0 unit "Ohm"
// expect flat: parameter d.k = 20.0
// expect flat: var c.r1.i: Real continuous start = 2.0
// expect flat: var d.r1.i: Real continuous start = 1.0
// expect flat: eqn c.r1.v = c.r1.R*c.r1.i
// expect flat: eqn sum = c.r1.v + d.r2.v
