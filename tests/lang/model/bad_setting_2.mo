// set n=1.5
// expect error line 0: 'n' cannot be set to '1.5': an Integer is expected
model BadSetting
  parameter Integer n = 1;
end BadSetting;
