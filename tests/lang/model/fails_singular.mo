// expect: ok
model FailsSingular
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -1;
  a + b = x;
  a + (if x > 0.5 then 2 else 1)*b = 3;
end FailsSingular;
// stop 5
// expect fails: at an event, no unique solution of a + (if x > 0.5 then 2 else 1)*b = 3 (line 7) and a + b = x (line 6) for b, a (singular): x = 0.5 at t = 0.5
