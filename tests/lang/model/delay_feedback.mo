// expect: ok
// what was before the start is found: y = y/2 + 1; a jump comes back for ever, half as large
model Feedback
  Real y = 0.5*delay(y, 0.5) + (if time < 1 then 1 else 2);
  discrete Real u(start = 0, fixed = true);
  Real line = delay(delay(u, 0.33), 0.33);
equation
  when sample(0, 0.5) then
    u = 1 - pre(u);
  end when;
end Feedback;
// expect y(0.75) = 2 +- 1e-12
// expect y(1.25) = 3 +- 1e-12
// expect y(1.75) = 3.5 +- 1e-12
// expect y(5.75) = 3.998046875 +- 1e-12
// expect line(0.65) = 0
// expect line(0.67) = 1
// expect line(1.15) = 1
// expect line(1.17) = 0
