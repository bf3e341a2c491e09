// expect: ok
// A bound that puts a state back acts again where another reset takes the state beyond:
// while it rests there, and twice at one time.  x < 0 is false at x = 0.
model BoundsThatResetsPass
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 0, fixed = true);
  Real clock(start = 0, fixed = true);
  Integer at_rest(start = 0, fixed = true), at_once(start = 0, fixed = true);
equation
  der(x) = -1;
  der(y) = 0.1;
  der(z) = 0;
  der(clock) = 1;
  when clock > 2 then
    reinit(x, -0.4);
    reinit(y, -0.3);
  end when;
  when x < 0 then
    reinit(x, 0);
    at_rest = pre(at_rest) + 1;
  end when;
  when y < 0 then
    reinit(y, 0);
    reinit(z, pre(z) + 1);
    at_once = pre(at_once) + 1;
  end when;
  when z > 0.5 then
    reinit(y, -0.2);
  end when;
end BoundsThatResetsPass;
// stop 3
// expect x(3) = 0
// expect at_rest(3) = 2
// expect y(3) = 0.1 +- 1e-9
// expect at_once(3) = 2
