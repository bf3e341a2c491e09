// expect: ok
// two inertias and a gear between them, a torque at one and a spring at the other
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
model ConstantTorque
  Shaft b;
  parameter Real tau;
equation
  b.tau = -tau;
end ConstantTorque;
model Gear
  Shaft a, b;
  parameter Real n "turns of a per turn of b";
equation
  a.phi = n*b.phi;
  n*a.tau + b.tau = 0;
end Gear;
model Spring
  Shaft a;
  parameter Real c;
equation
  a.tau = c*a.phi;
end Spring;
model Geared
  ConstantTorque t(tau = 0.2);
  Inertia fast(J = 0.1), slow(J = 0.9, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Gear g(n = 3);
  Spring s(c = 1.8);
equation
  connect(t.b, fast.a);
  connect(fast.b, g.a);
  connect(g.b, slow.a);
  connect(slow.b, s.a);
end Geared;
// fast.phi = 1 - cos(t), slow.phi = fast.phi/3
// expect fast.phi(2.9) = 1.9709581651495904 +- 1e-8
// expect slow.w(2.9) = 0.079749776404660813 +- 1e-8
// expect g.b.tau(2.9) = -0.89128744954487704 +- 1e-8
