// set g=1.5
// expect error line 0: 'g' is a constant and cannot be set
model BadSetting
  constant Real g = 9.81;
  Real x = g;
end BadSetting;
