// expect: ok
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;
partial model TwoPin
  Pin p, n;
  Real v, i;
equation
  v = p.v - n.v;
  0 = p.i + n.i;
  i = p.i;
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends TwoPin;
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends TwoPin;
  parameter Real V = 1;
equation
  v = V;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model RC "two pins of its own, connected inside"
  Pin p, n;
  Resistor r(R = 2);
  Capacitor c(C = 0.25, v(start = 0.5, fixed = true));
equation
  connect(p, r.p);
  connect(r.n, c.p);
  connect(c.n, n);
end RC;
model Circuit
  Source s(V = 3);
  RC rc;
  Resistor loose;
  Ground g;
equation
  connect(s.p, rc.p);
  connect(rc.n, s.n);
  connect(s.n, g.p);
  connect(g.p, rc.n);
  connect(loose.n, g.p);
end Circuit;
// expect flat: eqn rc.r.n.i + rc.c.p.i = 0.0
// expect flat: eqn s.p.i + rc.p.i = 0.0
// expect flat: eqn loose.p.i = 0.0
// expect flat: eqn s.n.i + rc.n.i + loose.n.i + g.p.i = 0.0
// expect flat: eqn rc.r.p.i - rc.p.i = 0.0
// expect rc.c.v(0.5) = 2.080301397071394 +- 1e-8
// expect s.i(0) = -1.25 +- 1e-9
