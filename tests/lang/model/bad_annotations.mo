model BadAnnotations
  Real x(min = 0) annotation(__brink(domain = "yes")); // expect error: 'domain' takes true or false
  Real y;
equation
  der(x) = -1;
  when x <= 0 then
    reinit(x, 1);
  end when annotation(__brink(side = "behind", locate = 3)); // expect error at 8:38: 'side' takes one of "after", "before", "nearest"
  // expect error at 8:57: 'locate' takes a name in quotes
  annotation(experiment(StopTime = -1, Tolerance = 0), __brink(zeno = "never", timeUnit = 3600)); // expect error at 10:52: 'Tolerance' is 0; it must lie between 1e-16 and 1
  // expect error at 10:25: the experiment stops at -1, before its start at 0
  // expect error at 10:71: 'zeno' takes one of "continue", "stop", "step", "regularize", "average"
  // expect error at 10:91: 'timeUnit' takes a name in quotes
end BadAnnotations;
