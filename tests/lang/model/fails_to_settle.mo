// expect: ok
model FailsToSettle
  Real x(start = 1, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  der(x) = -1;
  b = if x < 0.4 then not pre(b) else false;
end FailsToSettle;
// stop 5
// expect fails: event iteration does not settle in 100 passes: b keeps changing in b = if x < 0.4 then not pre(b) else false (line 7): b = 1, x = 0.4, pre(b) = 0 at t = 0.6
