model Bad6
  model A
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end A;
  model H
    A a, b;
  equation
    initialState(a);
    transition(a, b, a.x > 1);
    transition(b, a, b.x > 1);
  end H;
  H h;
  A c;
equation
  initialState(h);
  transition(h, c, c.x < 1, synchronize = true); // expect error: 'synchronize = true' would wait for ever: the machine of 'h.a' has no mode that nothing leads out of
  transition(c, h, c.x > 1, synchronize = true); // expect error: 'synchronize = true' waits for the machines in 'c', which has none
end Bad6;
