// expect: ok
model FailsToStart "the relation and the Boolean contradict each other"
  Real x(start = 1, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  der(x) = -1;
  b = x + (if b then 1 else 0) < 1.5;
end FailsToStart;
// stop 5
// expect fails: at the start, no values of x + (if b then 1 else 0) < 1.5 (line 7) agree with the equations at t = 0: tried 2 of 2 combinations; x = 1, b = 0
