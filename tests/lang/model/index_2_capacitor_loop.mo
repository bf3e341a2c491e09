// expect: ok
// two capacitors in parallel, and one across a source: no two of the voltages are free
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
model Capacitor
  extends TwoPin;
  parameter Real C;
equation
  C*der(v) = i;
end Capacitor;
model SineVoltage
  extends TwoPin;
  parameter Real A, omega;
equation
  v = A*sin(omega*time);
end SineVoltage;
model CapacitorLoop
  SineVoltage s(A = 1, omega = 3);
  Resistor r(R = 2);
  Capacitor a(C = 0.25, v(start = 0.5, fixed = true)), b(C = 0.5), across(C = 0.1);
  Ground g;
equation
  connect(s.p, r.p);
  connect(s.p, across.p);
  connect(r.n, a.p);
  connect(a.p, b.p);
  connect(s.n, g.p);
  connect(a.n, g.p);
  connect(b.n, g.p);
  connect(across.n, g.p);
end CapacitorLoop;
// with T = R*(Ca + Cb) = 1.5: v = (1/2 + 3*T/(1 + 9*T^2))*exp(-t/T)
//   + (sin(3*t) - 3*T*cos(3*t))/(1 + 9*T^2)
// expect b.v(0) = 0.5 +- 1e-12
// expect across.i(0) = 0.3 +- 1e-12
// expect b.v(1.7) = 0.10554843917511553 +- 1e-8
// expect b.i(1.7) = -0.34378770716761603 +- 1e-8
// expect across.i(1.7) = 0.11339332281389407 +- 1e-8
