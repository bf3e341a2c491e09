// expect: ok
model FailsWhenInitial "a when that acts at the start and an initial equation disagree"
  discrete Real d(start = 5);
initial equation
  d = 1.5;
equation
  when {initial(), sample(0.1, 0.1)} then
    d = 2.25;
  end when;
end FailsWhenInitial;
// stop 1
// expect fails: no start was found: d = 1.5 (line 5) is missed by 0.75, with d = 2.25; d = 2.25 (line 8) determines it; 1 condition for 1 free value (d = 5) at t = 0
