model BadNamesOfSettings
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x <= 0 then
    reinit(x, 1);
  end when annotation(__brink(locate = "isolat")); // expect error at 7:40: there is no locator 'isolat'; did you mean 'isolate'?
  annotation(__brink(method = "gear", // expect error at 8:31: there is no method 'gear'; see 'brink methods'
    locate = "telescope", // expect error at 9:14: there is no locator 'telescope'; see 'brink locators'
    sliding = "slowly")); // expect error at 10:15: 'sliding' takes one of "filippov", "regularize", "chatter", "stop"
end BadNamesOfSettings;
