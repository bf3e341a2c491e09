model SetFromOutside
  model A
    input Real u;
    Real x(start = 0, fixed = true);
    discrete Integer n(start = 0);
  equation
    der(x) = u;
  end A;
  A a(u = 1), b(u = 2), c(u = 3);
equation
  initialState(a);
  transition(a, b, a.x > 1);
  transition(b, c, b.x > 1);
  when a.x > 0.5 then
    b.n = 3; // expect error: 'b.n' belongs to mode 'b'; a when that sets it must stand in that mode
  end when;
end SetFromOutside;
