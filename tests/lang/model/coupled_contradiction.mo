// expect: ok
model CoupledContradiction "after t = 1 neither value of the relation agrees with the equations"
  Real x, y, u;
  Boolean b;
equation
  b = x < 0;
  u = if time < 1 then -1 else 1;
  x = (if b then u else -1) + y;
  y = 0.1*x;
  annotation(experiment(StopTime = 2));
end CoupledContradiction;
// stop 2
// expect x(0.5) = -1.1111111111 +- 1e-8
// expect fails: at an event, no values of x < 0 (line 6) agree with the equations at t = 1: tried 2 of 2 combinations and paths from 6 points; x = -1.11111111
