// expect: ok
model Annotations
  Real x(start = 1, fixed = true) annotation(Dialog(group = "states"), __brink(colour = "red")); // expect warning: 'colour' is no setting of a variable in annotation(__brink(...)); it is ignored
equation
  der(x) = -1;
  when x <= 0 then
    reinit(x, 1);
  end when annotation(__brink(side = "before", locate = "extrapolate"));
  annotation(
    __brink(zeno = "stop", sliding = "chatter", method = "dopri5", locate = "isolate", speed = 3), // expect warning: 'speed' is no setting of a model in annotation(__brink(...)); it is ignored
    __Other(option = 17));
end Annotations;
// expect flat: relation x <= 0 (before)
// expect flat: when {x <= 0} (before) by extrapolate: reinit(x, 1.0);
// expect flat: experiment nan nan nan nan method "dopri5" locate "isolate" zeno "stop" sliding "chatter"
