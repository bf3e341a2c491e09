connector Pin
  Real v;
  flow Real i;
end Pin;
connector In = input Real;
type Level = Real(min = 0);
record Vec
  Real x, y;
end Vec;
block Part
  Pin p;
  In u, w[2];
  Level h;
  Vec r;
  Real z[3];
end Part;
model Variables
  Part a, b, c[2];
  Real x, y;
  parameter Real k = 2;
equation
  connect(x, y); // expect error at 22:11: 'x' is a variable, not a connector; write the equation x = y
  connect(a.u, b.h); // expect error at 23:16: 'b.h' is a variable, not a connector; write the equation b.h = a.u
  connect(a.p.v, b.p.v); // expect error at 24:11: 'a.p.v' is a variable, not a connector; write the equation a.p.v = b.p.v
  connect(a.r, b.r); // expect error at 25:11: 'a.r' is a variable, not a connector; write the equation a.r = b.r
  connect(c.u, a.z[2:3]); // expect error at 26:16: 'a.z[2]' is a variable, not a connector; write the equation a.z[2] = c[1].u
  connect(k, a.w[1]); // expect error at 27:11: 'k' is a variable, not a connector; write the equation k = a.w[1]
end Variables;
