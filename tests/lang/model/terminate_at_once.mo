// expect: ok
model TerminateAtOnce "a run may end where it begins"
  parameter Real limit = 1.5;
  Real x(start = 2.25, fixed = true);
equation
  der(x) = 1;
algorithm
  if x > limit then
    terminate("beyond " + String(limit));
  end if;
end TerminateAtOnce;
// stop 1
// expect end BRINK_TERMINATED at 0
// expect says: beyond 1.5: the run ended at its start, t = 0
