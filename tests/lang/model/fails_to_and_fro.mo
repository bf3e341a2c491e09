// expect: ok
model FailsToAndFro
  Real x(start = 0.1, fixed = true);
  Boolean b;
equation
  der(x) = if b then -1 else 1;
  b = x + (if b then -1 else 1)*0.1 > 0.3;
end FailsToAndFro;
// stop 1
// expect fails: ... instants at t = 0.1 and still events are due ('x + (if b then -1 else 1)*0.1 > 0.3 (line 7)'): they repeat each other, or accumulate (Zeno); where a condition depends on what its own event sets, use pre() of that or leave a margin; for a long row of impacts raise max_iterations (dg/dt = 1 before, 1 after)
