// expect: ok
// Positions that differ cannot be locked.
model Positions
  Real p1(start = 1, fixed = true), p2(start = 0, fixed = true), F;
  Real v1(start = 0, fixed = true), v2(start = 0.3, fixed = true);
  discrete Real far(start = 1, fixed = true);
equation
  der(p1) = v1; der(p2) = v2;
  der(v1) = -F;
  3*der(v2) = F;
  p1 - p2 = far - 0.3*time;
  when time > 0.5 then far = 0; end when;
end Positions;
// stop 1
// expect fails: after an event, p1 - p2 = far - 0.3*time (line 11) does not hold: 'p2' would have to jump from 0.15 to 0.65, which no impulse can do, only a reinit at t = 0.5
