// set heigth=3
// expect error line 0: the model has no parameter or variable 'heigth'; did you mean 'height'?
model BadSetting
  parameter Real height = 1;
end BadSetting;
