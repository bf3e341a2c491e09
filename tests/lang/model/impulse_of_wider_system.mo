// expect: ok
// Another ratio of a gear: n*J1*w1 + J2*w2 with the new n is kept.  A when reads the derivative of a
// torque, so that all equations are differentiated once more; that makes no difference.
model Gear
  Real w1(start = 3, fixed = true), w2, t1, t2;
  discrete Real n(start = 2, fixed = true);
  discrete Integer k(start = 0, fixed = true);
equation
  1.3*der(w1) = 0.2*sin(time) - t1;
  3.1*der(w2) = t2;
  t2 = n*t1;
  w1 = n*w2;
  when time > 0.7 then n = 3.5; end when;
  when der(t1) < 0 then k = pre(k) + 1; end when;
end Gear;
// stop 3
// (n^2*J1 + J2)*w2' = n*0.2*sin(t)
// expect w2(0.6) = 1.508417560727244 +- 1e-8
// expect w1(0.8) = 3.400832958441089 +- 1e-8
// expect w2(3) = 1.033726451494851 +- 1e-8
// expect k(3) = 1
