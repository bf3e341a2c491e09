// expect: ok
model EndsDomain
  Real x(start = 1, min = 0.25, fixed = true) annotation(__brink(domain = true));
equation
  der(x) = -1;
end EndsDomain;
// stop 5
// expect says: 'x' (line 3) has come to the end of its domain at 0.25: 'x at its min (line 3)' ended the run at t = 0.75
