// expect: ok
model NamedArguments
  Real x(start = 1, fixed = true);
  Real late = delay(delayTime = 0.5, expr = x);
  Real smoothed = smooth(expr = x, p = 1);
equation
  der(x) = 1;
  assert(message = "too large", condition = x < 10);
  assert(x < 1.5, "large", level = AssertionLevel.warning);
  when x > 1.75 then
    reinit(expr = 1, x = x);
  elsewhen time > 3 then
    terminate(message = "enough");
  end when;
  annotation(experiment(StopTime = 1));
end NamedArguments;
// expect late(1) = 1.5 +- 1e-9
// expect x(1) = 1.25 +- 1e-9
// expect warns 0: line 9, t = 0.5: large
