// expect: ok
model HeldInput "a variable set in a when, alone on the right side"
  Real x(start = 1, fixed = true), y;
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = u;
  2*y + x = u;
  when sample(0, 0.1) then
    u = -5*x;
  end when;
end HeldInput;
// expect x(0.3) = 0.125 +- 1e-12
// expect y(0.25) = -0.71875 +- 1e-12
