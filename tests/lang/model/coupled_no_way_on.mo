// expect: ok
model CoupledNoWayOn "the current of a diode ends, and with G = 0 its blocking branch has no solution"
  parameter Real G = 0;
  Real i(start = 1, fixed = true), v, id, s;
  Boolean off;
equation
  off = s < 0;
  -v = if off then s else 0;
  id = if off then G*s else s;
  id = i;
  der(i) = v - 1;
  annotation(experiment(StopTime = 2));
end CoupledNoWayOn;
// stop 2
// expect i(0.5) = 0.5 +- 1e-9
// expect fails: s < 0 (line 7) has no branch to go on in: ... off = 1...
