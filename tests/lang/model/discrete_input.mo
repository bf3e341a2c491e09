// expect: ok
// a variable that a when sets may stand alone on the right of an equation
model Discrete
  Real x(start = -0.25, fixed = true), y, a(start = 1, fixed = true);
equation
  der(x) = a;
  y = a;
  when sample(0.5, 0.5) then
    a = -2*pre(a);
  end when;
end Discrete;
// expect x(0.75) = -0.25 +- 1e-9
// expect y(0.75) = -2
