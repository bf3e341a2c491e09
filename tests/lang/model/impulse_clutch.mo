// expect: ok
// Two inertias slip against each other and lock: their momentum 3 + 3*0.5 is kept.
model Clutch
  Real w1(start = 3, fixed = true), w2(start = 0.5, fixed = true), tau;
  discrete Boolean locked(start = false, fixed = true);
equation
  der(w1) = -tau;
  3*der(w2) = tau;
  0 = if locked then w1 - w2 else tau - 0.3*(w1 - w2);
  when time > 1 then locked = true; end when;
end Clutch;
// stop 2
// expect w1(0.9) = 2.433143111383183 +- 1e-8
// expect w1(1.1) = 1.125 +- 1e-12
// expect w2(2) = 1.125 +- 1e-12
// expect tau(1.5) = 0 +- 1e-12
// the jumps of w1 and w2, and the integral of tau
// expect events 4
