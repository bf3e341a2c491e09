// expect: ok
// floor, ceil and integer of what jumps to a whole number
model StairsThatJump
  Real step = if time > 0.5 then 3 else 1, late = delay(step, 0.25);
  Real x(start = 0.25, fixed = true), level = ceil(-step);
  Integer n = integer(step), m = integer(late), k = integer(x), c = integer(ceil(x));
equation
  der(x) = 1;
  when time > 0.625 then
    reinit(x, 4);
  end when;
end StairsThatJump;
// expect n(0.25) = 1
// expect n(0.6) = 3
// expect level(0.6) = -3
// expect m(0.7) = 1
// expect m(0.8) = 3
// expect k(0.5) = 0
// expect k(0.75) = 4
// expect c(0.75) = 5
// expect events 8
// stop 0.875
