// set quurghzz=3
// expect error line 0: the model has no parameter or variable 'quurghzz'
// what a String is behind the scenes is nothing to offer
model BadSettingFar
  Real x(start = 1, fixed = true);
  String s(start = "a");
equation
  der(x) = -x;
  when x < 0.5 then
    s = "b";
  end when;
  when time > 3 then
    assert(x < 0, s, AssertionLevel.warning);
  end when;
end BadSettingFar;
