// expect: ok
model Contradiction
  Real w1(start = 3, fixed = true), w2, tau;
equation
  1.3*der(w1) = -tau;
  3.1*der(w2) = tau;
  w1 = 2*w2;
  when time > 0.25 then
    reinit(w1, 1);
    reinit(w2, 2);
  end when;
end Contradiction;
// stop 1
// expect fails: after an event, reinit(w2, 2) (line 10) contradicts w1 = 2*w2 (line 7), which would need w2 = 0.5 in place of 2 at t = 0.25
