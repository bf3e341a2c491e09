// expect: ok
model FailsDiscreteStart "what is fixed is not found"
  Integer n(start = 3, fixed = true);
initial equation
  n = 4;
equation
  when time > 0.5 then
    n = pre(n) + 1;
  end when;
end FailsDiscreteStart;
// stop 1
// expect fails: the start is over-determined: n = 4 (line 5) is missed, with n = 3; it contradicts the fixed start value of 'n' (line 3); 1 condition for 0 free values at t = 0
