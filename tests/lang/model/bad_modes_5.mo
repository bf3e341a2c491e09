model InAlgorithm
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
  transition(b, c, b.x > 1);
algorithm
  when a.x > 0.5 then
    initialState(b); // expect error: 'initialState' stands in an equation section, outside of when
  end when;
end InAlgorithm;
