// expect: ok
// two inductors in series, and one behind a source of current: no two of the currents are free
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
  parameter Real R;
equation
  v = R*i;
end Resistor;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Inductor
  extends TwoPin;
  parameter Real L;
equation
  L*der(i) = v;
end Inductor;
model Battery
  extends TwoPin;
  parameter Real V;
equation
  v = V;
end Battery;
model SineCurrent
  extends TwoPin;
  parameter Real A, omega;
equation
  i = A*sin(omega*time);
end SineCurrent;
model InductorCutSet
  Battery s(V = 3);
  Resistor r(R = 2);
  Inductor a(L = 0.4, i(start = 0.2, fixed = true)), b(L = 0.6), behind(L = 0.3);
  SineCurrent c(A = 0.5, omega = 2);
  Ground g;
equation
  connect(s.p, r.p);
  connect(r.n, a.p);
  connect(a.n, b.p);
  connect(b.n, s.n);
  connect(s.n, g.p);
  connect(c.n, behind.p);
  connect(behind.n, g.p);
  connect(c.p, g.p);
end InductorCutSet;
// i = 1.5 - 1.3*exp(-2*t)
// expect b.i(0) = 0.2 +- 1e-12
// expect a.v(0) = 1.04 +- 1e-12
// expect behind.v(0) = 0.3 +- 1e-12
// expect b.i(0.7) = 1.1794239468759116 +- 1e-8
// expect a.v(0.7) = 0.25646084249927076 +- 1e-8
// expect behind.v(0.7) = 0.050990142870072308 +- 1e-8
