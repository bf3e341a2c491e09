// expect: ok
// pre() of a discrete variable is an unknown of the start, unless it is fixed
model DiscreteStarts
  discrete Real held(start = 1.25, fixed = true), moved(start = 5);
  discrete Real free(start = 1) "not fixed: the initial equation of y finds it";
  Integer n(start = 1), k(start = 1), count(start = 7);
  Boolean on(start = false), other(start = false), latch;
  Real b(start = 2), x, y, z;
initial equation
  held = b;
  moved = 1;
  x = pre(moved);
  y = 6.25;
  n + k = 7;
  n - k = 1;
  count = 3;
  on = true;
  z = 4;
  latch = true;
equation
  der(b) = 0;
  der(x) = 0;
  y = free^2;
  z = if other then 4 else 1;
  latch = b > 2 or pre(latch) and b > 1;
  when {initial(), sample(0.6, 0.1)} then
    moved = pre(moved) + 0.125;
    count = pre(count) + 2;
    on = not pre(on);
  end when;
  when time > 0.5 then
    held = 0;
    free = 0.5;
    n = pre(n) + 1;
    k = pre(k) + 1;
    other = false;
  end when;
end DiscreteStarts;
// expect held(0) = 1.25
// expect b(0) = 1.25
// expect moved(0) = 1
// expect x(0) = 0.875
// expect free(0) = 2.5 +- 1e-14
// expect n(0) = 4
// expect k(0) = 3
// expect count(0) = 3
// expect on(0) = 1
// expect other(0) = 1
// expect latch(0) = 1
// expect n(0.55) = 5
// expect moved(0.55) = 1
