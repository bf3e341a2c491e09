model Machine
  model State
    Real x(start = 0);
  equation
    der(x) = 1;
  end State;
  State a, b;
  Real ticks, since;
equation
  initialState(a);
  transition(a, b, a.x > 1);
  ticks = ticksInState(); // expect error at 12:11: 'ticksInState' (clocked machines) is not supported; set a discrete variable when activeState(...)
  since = timeInState(); // expect error at 13:11: 'timeInState' (clocked machines) is not supported; keep the time of entry: when activeState(a) then t0 = time
end Machine;
