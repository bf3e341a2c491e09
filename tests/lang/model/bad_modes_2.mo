model Bad2
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
  end H;
  A a, b, c, d, e, f, g;
  A row[2];
  H h, k;
equation
  transition(a, b, a.x > 1); // expect error: no initialState says in which mode the machine of 'a' begins
  initialState(c);
  initialState(d); // expect error: 'c' and 'd' are initial states of one machine, since transitions join them; a machine has one
  transition(c, d, c.x > 1);
  initialState(row); // expect error: 'row' is an array of components; a mode is one of them
  initialState(h.a); // expect error: 'h.a' belongs to another component; a mode is named in the model that declares it
  initialState(f);
  initialState(f); // expect error: 'f' is an initial state already (line 23)
  initialState(k);
  when activeState(g) then // expect error: 'g' is no mode: neither an initialState nor a transition names it
    reinit(a.x, 0);
  end when;
end Bad2;
