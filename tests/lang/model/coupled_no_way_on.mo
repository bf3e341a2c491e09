// expect: ok
model CoupledNoWayOn "the current of an open switch ends; the branch behind has no unique solution"
  Real i(start = 1, fixed = true), v, id, s;
  Boolean off;
equation
  off = s < 0;
  -v = if off then s else 0;
  id = if off then 0 else s;
  id = i;
  der(i) = v - 1;
  annotation(experiment(StopTime = 2));
end CoupledNoWayOn;
// stop 2
// expect i(0.5) = 0.5 +- 1e-9
// expect fails: s < 0 (line 6) has no branch to go on in: ... divides by zero: off = 1, in id = if off then 0 else s (line 8) at t = 1
