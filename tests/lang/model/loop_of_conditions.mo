model LoopOfConditions "slip is asked for by the whens that set it"
  Real x(start = 0, fixed = true), v(start = 0.2, fixed = true);
  Boolean slip(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = if slip then -x else 0;
  when {not slip and abs(x) > 0.4, slip and v > 0.2} then // expect error: a loop of Booleans or Integers: a condition (line 7), 'slip' (line 7) need each other at the same instant; break it with pre()
    slip = not pre(slip);
  end when;
end LoopOfConditions;
