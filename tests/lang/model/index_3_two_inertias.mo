// expect: ok
// two inertias on one shaft, turned by a torque and braked
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
model Torque
  Shaft b;
  parameter Real A, omega;
equation
  b.tau = -A*cos(omega*time);
end Torque;
model Brake
  Shaft a;
  parameter Real d;
equation
  a.tau = d*der(a.phi);
end Brake;
model TwoInertias
  Torque t(A = 2, omega = 1);
  Inertia i1(J = 0.3, phi(start = 0.3, fixed = true), w(start = 1, fixed = true)), i2(J = 0.7);
  Brake d(d = 0.5);
equation
  connect(t.b, i1.a);
  connect(i1.b, i2.a);
  connect(i2.b, d.a);
end TwoInertias;
// w = 0.2*exp(-t/2) + 0.8*cos(t) + 1.6*sin(t); the torque between them is J2*w' + d*w
// expect i2.phi(0) = 0.3 +- 1e-12
// expect i2.w(0) = 1 +- 1e-12
// expect i2.w(2.3) = 0.72343487633470394 +- 1e-8
// expect i1.phi(2.3) = 3.8359510960374736 +- 1e-8
// expect i2.a.tau(2.3) = -0.82427119834154805 +- 1e-8
