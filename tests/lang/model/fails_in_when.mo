// expect: ok
model FailsInWhen
  Real x(start = 1, fixed = true);
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = -1;
  when x < 0.5 then
    n = 1/pre(n);
  end when;
end FailsInWhen;
// stop 5
// expect fails: at an event, 1/pre(n) divides by zero: pre(n) = 0, in n = 1/pre(n) (line 8) at t = 0.5
