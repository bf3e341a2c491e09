// expect: ok
function total
  input Integer n;
  output Real s = 0;
algorithm
  for k in 1:n loop
    s := s + 1;
  end for;
end total;
model Long
  Integer n(start = 60, fixed = true);
  Real s = total(n);
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
end Long;
// stop 1
// expect s(0.35) = 63
// expect fails: assertion not 65 <= n (line 6) fails: n = 65 at t = 0.5: a for-loop needs more than 64 turns
