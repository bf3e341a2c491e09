// expect: ok
model AssertsAfterReinit "assertions look at what reinit has moved with the relations of there"
  Real x(start = 0.25, fixed = true), w;
  Integer laps(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 1 then
    reinit(x, -0.5);
    laps = pre(laps) + 1;
  end when;
  w = if x > 0 then 1 + 2*x else 0.5 - x;
  assert(w > 0.45, "w = " + String(w));
  assert(laps < 2, "round and round");
end AssertsAfterReinit;
// stop 3
// expect w(1) = 0.75 +- 1e-9
// expect fails: assertion laps < 2 (line 13) fails: laps = 2 at t = 2.25: round and round
