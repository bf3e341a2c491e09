// expect: ok
model DomainWhen "a when on the bound of a domain decides what happens there"
  parameter Real low = -1;
  Real x(start = 1, fixed = true, max = 3) annotation(__brink(domain = true));
  Real y(start = 0.25, fixed = true, min = low, max = 7) annotation(__brink(domain = true));
  Integer n(start = 0, fixed = true);
equation
  der(x) = 0.75;
  der(y) = -1;
  when 3.0 <= x then
    reinit(x, 0);
  end when;
  when not y > low or time > 50 then
    reinit(y, 0.5);
  end when;
  when x >= 2 then
    n = pre(n) + 1;
  end when;
end DomainWhen;
// expect flat: relation 3.0 <= x (before)
// expect flat: relation y > low (before)
// expect flat: relation x >= 2
// expect x(3) = 0.25 +- 1e-9
// expect y(2) = -0.25 +- 1e-9
// expect n(3) = 1 +- 0
