// expect: ok
// five hundred events are under way at once: none of them is forgotten
model Line
  discrete Real u(start = 0, fixed = true);
  Real late = delay(u, 5.003);
  Real x(start = 0, fixed = true);
equation
  der(x) = late;
  when sample(0.01, 0.01) then
    u = 1 - pre(u);
  end when;
end Line;
// stop 8
// expect late(8) = 1
// expect x(8) = 1.497 +- 1e-9
