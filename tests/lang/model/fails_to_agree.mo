// expect: ok
model FailsToAgree "initial equations that contradict each other"
  Real x, y;
initial equation
  x = if y >= 0.5 then 1 else 0;
  y = if x >= 0.5 then 0 else 1;
equation
  der(x) = -1;
  der(y) = -1;
end FailsToAgree;
// expect fails: the start does not settle in 100 passes: y >= 0.5 (line 5) keeps changing: y = 1 at t = 0
