// expect: ok
// a slider whose motion is prescribed, with friction, pulls a mass by a spring
connector Flange
  Real s(unit = "m");
  flow Real f(unit = "N");
end Flange;
model Mass
  Flange a, b;
  parameter Real m, d = 0;
  Real s, v;
equation
  s = a.s;
  s = b.s;
  v = der(s);
  m*der(v) = a.f + b.f - d*v;
end Mass;
model Spring
  Flange a, b;
  parameter Real c;
equation
  a.f + b.f = 0;
  b.f = c*(b.s - a.s);
end Spring;
model Drive
  Flange b;
  parameter Real A, omega;
equation
  b.s = A*sin(omega*time);
end Drive;
model DrivenSlider
  Drive drive(A = 0.1, omega = 5);
  Mass slider(m = 2, d = 0.5), load(m = 0.5, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Spring spring(c = 8);
equation
  connect(drive.b, slider.a);
  connect(slider.b, spring.a);
  connect(spring.b, load.a);
end DrivenSlider;
// load.s = 2/9*sin(4*t) - 8/45*sin(5*t)
// expect slider.v(0) = 0.5 +- 1e-12
// expect drive.b.f(0) = -0.25 +- 1e-11
// expect load.s(1.9) = 0.22845345964465194 +- 1e-8
// expect slider.s(1.9) = -0.0075151120461809306 +- 1e-9
// expect drive.b.f(1.9) = 1.7612860102667112 +- 1e-7
