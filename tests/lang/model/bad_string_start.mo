// a String whose start is no String, set in a when: told, not read
model BadStringStart
  Real x(start = 1, fixed = true);
  String s(start = 1);  // expect error at 4:20: the start value is an Integer, but a String is expected
equation
  der(x) = -x;
  when x < 0.5 then
    s = "b";
  end when;
  when time > 3 then
    assert(x < 0, s, AssertionLevel.warning);
  end when;
end BadStringStart;
