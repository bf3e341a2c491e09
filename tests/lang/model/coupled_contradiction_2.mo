// expect: ok
model CoupledContradiction2 "no start"
  Real x, y, z;
  Boolean b, c;
equation
  b = x < 0;
  c = z > 4;
  x = (if b then 1 else -1) + y;
  y = 0.1*x + (if c then 0 else 0.001*z);
  z = if c then 1 else 5*abs(x) + 4;
  annotation(experiment(StopTime = 2));
end CoupledContradiction2;
// expect fails: at the start, no values of x < 0 (line 6), z > 4 (line 7), abs(x) (line 10) agree with the equations at t = 0: tried 8 of 8 combinations and paths from 6 points; ...
