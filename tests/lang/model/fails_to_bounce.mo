// expect: ok
model FailsToBounce "a ball that keeps a hundredth of its speed"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.01 * pre(v));
  end when;
end FailsToBounce;
// stop 5
// expect fails: events accumulate at t = 0.460645330702611 (Zeno): 'h < 0 (line 7)' fires again and again and time cannot move on; give the model a mode for what follows
