// expect: ok
model RealFromInteger "a Real may be set to an Integer"
  Integer mode(start = 2, fixed = true), marks[2](each start = 1, each fixed = true);
  Real x(start = 0, fixed = true), y, z[2];
equation
  der(x) = mode;
  y = mode;
  z = marks;
  when x > 1 then
    mode = -1;
    marks = {5, 7};
  end when;
end RealFromInteger;
// expect y(0.25) = 2
// expect x(1.25) = 0.25 +- 1e-9
// expect y(1) = -1
// expect z[2](1) = 7
