// expect: ok
model FailsInitially
  Real x(start = 2, fixed = true);
  parameter Real p = 0.25;
initial equation
  x + p = 3;
equation
  der(x) = -x;
end FailsInitially;
// stop 5
// expect fails: the start is over-determined: x + p = 3 (line 6) is missed by 0.75, with x = 2, p = 0.25; it contradicts the fixed start value of 'x' (line 3); 1 condition for 0 free values at t = 0
