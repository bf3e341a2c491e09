// expect: ok
// relations that discrete changes move are part of what is solved together: no pre() in
// between keeps a value that never was
model RelationsTogether
  discrete Real begun(start = 0, fixed = true);
  Boolean ready = time >= 2, late = ready and time >= begun + 0.75;
  Boolean ever(start = false, fixed = true);
  // a loop of three relations has a solution, whatever order they are looked at
  Real y, z, w;
equation
  when ready then
    begun = time;
  end when;
  ever = pre(ever) or late;
  y = cos(time) + (if z + cos(time) <= 0 then 2 else 0);
  z = if y - w <= 1.5 then 0 else 1;
  w = if y <= 1.5 then 0 else 1;
end RelationsTogether;
// expect ever(2.5) = 0
// expect late(2.5) = 0
// expect ever(3) = 1
// expect y(1.75) = 1.8217539444 +- 1e-9
// expect w(1.75) = 1
// expect z(1.75) = 0
// expect w(2.5) = 0
