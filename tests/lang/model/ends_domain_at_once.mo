// expect: ok
model EndsAtOnce "on its bound, led outward: it has come to its end"
  Real x(start = 0, min = 0, fixed = true) annotation(__brink(domain = true));
equation
  der(x) = -1;
end EndsAtOnce;
// stop 5
// expect says: 'x' (line 3) has come to the end of its domain at 0: 'x at its min (line 3)' ended the run at t = 0
