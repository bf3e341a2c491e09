model Bad3
  model A
    input Real u;
    Real x(start = 0, fixed = true);
    discrete Integer n(start = 0);
  equation
    der(x) = u;
  end A;
  A a, b(u = 2);
  Real y;
equation
  y = time;
  a.u = y;
  initialState(a);
  transition(a, b, a.x > 1);
  if y > 3 then
    transition(a, b, a.x > 2); // expect error: 'transition' cannot stand in an initial section or in an if whose condition changes
  end if;
  when a.x > 0.5 then
    a.n = 3;
  end when;
initial equation
  initialState(b); // expect error: 'initialState' cannot stand in an initial section or in an if whose condition changes
end Bad3;
