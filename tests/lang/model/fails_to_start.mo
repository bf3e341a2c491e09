// expect: ok
model FailsToStart "the relation and the Boolean contradict each other"
  Real x(start = 1, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  der(x) = -1;
  b = x + (if b then 1 else 0) < 1.5;
end FailsToStart;
// stop 5
// expect fails: the start does not settle in 100 passes: b keeps changing in b = x + (if b then 1 else 0) < 1.5 (line 7): b = 1, x = 1 at t = 0
