// expect: ok
// electrical and mechanical: a motor with a capacitor at its terminals drives a load by a gear
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
connector Shaft
  Real phi(unit = "rad");
  flow Real tau(unit = "N.m");
end Shaft;
model Inertia
  Shaft a, b;
  parameter Real J;
  Real phi, w;
equation
  phi = a.phi;
  phi = b.phi;
  w = der(phi);
  J*der(w) = a.tau + b.tau;
end Inertia;
model Battery
  extends TwoPin;
  parameter Real V;
equation
  v = V;
end Battery;
model Emf
  extends TwoPin;
  parameter Real k;
  Shaft b;
equation
  v = k*der(b.phi);
  b.tau = -k*i;
end Emf;
model Gear
  Shaft a, b;
  parameter Real n;
equation
  a.phi = n*b.phi;
  n*a.tau + b.tau = 0;
end Gear;
model Motor
  Battery s(V = 2);
  Resistor r(R = 1);
  Capacitor c(C = 0.2);
  Emf m(k = 0.5);
  Ground g;
  Inertia rotor(J = 0.05), load(J = 0.4, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Gear gear(n = 4);
equation
  connect(s.p, r.p);
  connect(r.n, m.p);
  connect(c.p, m.p);
  connect(m.n, s.n);
  connect(c.n, s.n);
  connect(s.n, g.p);
  connect(m.b, rotor.a);
  connect(rotor.b, gear.a);
  connect(gear.b, load.a);
end Motor;
// The capacitor acts as an inertia C*k^2: rotor.w = 4*(1 - exp(-2*t)), for
// J = 0.05 + 0.4/16 + 0.2*0.25 = 0.125 and J*w' = k*(V - k*w)/R
// expect rotor.w(0.8) = 3.1924139280213786 +- 1e-8
// expect load.w(0.8) = 0.79810348200534464 +- 1e-8
// expect m.v(0.8) = 1.5962069640106893 +- 1e-8
// expect c.i(0.8) = 0.16151721439572431 +- 1e-8
// expect load.phi(0.8) = 0.40094825899732772 +- 1e-8
