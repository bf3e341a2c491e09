// expect: ok
model TimesTurned "relations with time that others turn round where they are zero"
  Real y = max(0, abs(1 - time)), z = if abs(time - 1.3) > 0 then 2 else 3;
  Real s(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean b = s*(time - 1) > 0;
equation
  when b then
    s = -pre(s);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2.5));
end TimesTurned;
// expect y(0.75) = 0.25 +- 1e-12
// expect y(2.25) = 1.25 +- 1e-12
// expect z(2) = 2
// expect b(2) = 0
// expect n(2) = 1
// expect s(2) = -1
