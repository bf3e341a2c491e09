// expect: ok
model FailsHiddenSliding
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = cos(time) - 3*noEvent(if v + 0.5*x > 0 then 1 else -1);
end FailsHiddenSliding;
// stop 10
// expect fails: the solution slides or chatters from t = 0.2350738... on: no guard tells where der(v) jumps between -2.0275 and 3.9725, and from either side it is driven back to the other: der(v) = cos(time) - 3*(if v + 0.5*x > 0 then 1 else -1) (line 7): der(v) = ...; make the switch an event, with a hysteresis or a law for what follows
