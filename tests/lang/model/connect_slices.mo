// expect: ok
connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;
model Source
  Pin p;
  parameter Real v = 0;
equation
  p.v = v;
end Source;
connector In = input Real;
connector Out = output Real;
block Gain
  In u;
  Out y;
  parameter Real k = 2;
equation
  y = k*u;
end Gain;
block Sum
  In u[3];
  Out y;
equation
  y = sum(u);
end Sum;
block Clock_
  Out y = time;
end Clock_;
model Slices
  parameter Integer n = 4;
  Resistor r[n](R = {1, 2, 3, 4});
  Source ground, source(v = 12.5);
  Gain g[3](k = {1, 2, 4});
  Sum one, two;
  Clock_ clock;
equation
  connect(source.p, r[1].p);
  connect(r[1:n - 1].n, r[2:n].p);
  connect(r[n].n, ground.p);
  for i in 1:3 loop
    connect(clock.y, g[i].u);
    connect(g[i].y, two.u[4 - i]);
  end for;
  connect(g.y, one.u);
end Slices;
// expect r[3].p.i(1) = 1.25 +- 1e-12
// expect r[2].n.v(1) = 8.75 +- 1e-12
// expect one.y(0.5) = 3.5 +- 1e-12
// expect two.u[1](0.5) = 2 +- 1e-12
