// expect: ok
model Never
  model A
    input Real u;
    Real x(start = 0, fixed = true);
    discrete Integer n(start = 0);
  equation
    der(x) = u;
    when x > 3 then
      n = 1;
    end when;
  end A;
  A a(u = 1), b(u = 2), c(u = 3);
equation
  initialState(a);
  transition(a, b, a.x > 1);
  transition(c, b, c.x > 1); // expect warning: no transitions lead from the initial state to 'c'; it is never active
end Never;
