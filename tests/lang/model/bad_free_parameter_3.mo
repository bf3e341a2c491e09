model BadFreeParameter3 "a parameter does not change in the run"
  parameter Real p(fixed = false), q(fixed = false), r = 3;
  Real x(start = 1, fixed = true);
equation
  der(x) = -p*x;
  when x < 0.5 then
    p = 3; // expect error at 7:5: the parameter 'p' is found at the start: only 'when initial()' can set it
  end when;
  when {initial(), x < 0.3} then
    q = 1; // expect error at 10:5: the parameter 'q' is found at the start: only 'when initial()' can set it
  end when;
  when initial() then
    r = 5; // expect error at 13:5: the left side of an equation in a when must be a variable
  end when;
end BadFreeParameter3;
