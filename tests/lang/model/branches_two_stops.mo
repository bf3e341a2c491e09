// expect: ok
// A driven mass between two stops, at which it rests until the force pulls it away: each
// stop is a constraint of index 3 while it pushes, and says how far away it is else.
model TwoStops
  parameter Real m = 1.3, d = 0.3, A = 30, omega = 2.7;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), N1, N2;
  Real s1(start = -1), s2(start = -1);
equation
  der(x) = v;
  m*der(v) = A*sin(omega*time) + N1 - N2 - d*v;
  N1 = if s1 > 0 then s1 else 0;
  x + 1 = if s1 > 0 then 0 else -s1;
  N2 = if s2 > 0 then s2 else 0;
  1 - x = if s2 > 0 then 0 else -s2;
end TwoStops;
// closed form, piece by piece; it leaves the stops where the force changes its sign
// expect x(0.7) = 1 +- 1e-12
// expect N2(0.7) = 28.484568445938912 +- 1e-8
// expect v(0.7) = 0 +- 1e-12
// expect x(2.8) = -0.0156793857350045059 +- 1e-5
// expect v(2.8) = 5.843230928857697 +- 1e-5
// expect event 1 at 0.475565008167947157 +- 1e-6
// expect event 5 at 1.163552834662886385 +- 1e-6
// expect event 6 at 1.775420741532486468 +- 1e-6
// expect event 10 at 2.327105669325772769 +- 1e-6
