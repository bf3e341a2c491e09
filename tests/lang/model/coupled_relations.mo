// expect: ok
// Relations that are solved together with the loops that they decide about.
model CoupledRelations "an ideal switch and an ideal diode: one pair of branches in four"
  Real iL(start = 2, fixed = true), vx, id, s, w, z, q;
  Boolean on, off, low;
  Integer n;
  Real a(start = 2), p;
  Boolean big;
equation
  on = mod(time, 1) < 0.25;
  off = s < 0;
  -vx = if off then s else 0;
  id = if off then 0 else s;
  0 = if on then 8 - vx else id - iL;
  der(iL) = vx - 2;
  // without a solution where low is false: the branch found is the other one
  low = z < 3;
  0 = if low then z + 0*w - time else 0*w - 1;
  w = if low then z else 7;
  // an Integer that its own argument depends on
  n = integer(q);
  q = 2.25 + 0.25*n + 0.0625*q;
  // not linear: the branch above 1 has the root
  big = a > 1;
  p = if big then a^3 + a else 2*a;
  p + 0.5*a = 11 + 0.1*sin(time);
  annotation(experiment(StopTime = 2));
end CoupledRelations;
// expect vx(0.1) = 8
// expect vx(0.5) = 0
// expect off(0.1) = 1
// expect off(0.5) = 0
// expect off(1.1) = 1
// expect iL(2) = 2 +- 1e-9
// expect z(1.5) = 1.5 +- 1e-12
// expect n(1) = 2
// expect q(1) = 2.9333333333333331 +- 1e-12
// expect a(0.001) = 2 +- 1e-4
