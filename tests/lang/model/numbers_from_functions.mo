// expect: ok
function steps "how many whole steps fit below x"
  input Real x;
  output Integer n = 0;
algorithm
  while n + 1 <= x loop
    n := n + 1;
  end while;
end steps;
function kind
  input Real x;
  output Integer k;
  output Real rest;
  output Boolean large;
algorithm
  large := x > 2.5;
  if x < 1 then
    k := 1;
  elseif x < 2 then
    k := 5;
  else
    k := 7;
    rest := x;
    return;
  end if;
  rest := -x;
end kind;
function above
  input Real x, limit = 1.5;
  output Boolean b = x > limit;
end above;
function root "plain: what is Real makes no events"
  input Real a;
  output Real x = 1;
  output Integer turns = 0;
algorithm
  while abs(x*x - a) > 1e-12*a loop
    x := (x + a/x)/2;
    turns := turns + 1;
  end while;
end root;
model Numbers
  Real x(start = 0.5, fixed = true), r, s = root(x + 1);
  Integer n = steps(x), k, twice = 2*kind(x);
  Boolean b = above(x), l;
  Integer fired(start = 0, fixed = true), after(start = 0, fixed = true);
  Real way(start = 0, fixed = true);
equation
  der(x) = 1;
  der(way) = if above(x, limit = 2.25) then 4 else 1;
  (k, r, l) = kind(x);
  when n > 2 then
    fired = pre(fired) + 1;
  end when;
  when above(x, limit = 3.125) then
    after = n;
  end when;
end Numbers;
// expect k(0.3) = 1
// expect k(1) = 5
// expect k(1.6) = 7
// expect twice(1.6) = 14
// expect r(1) = -1.5 +- 1e-12
// expect r(1.6) = 2.1 +- 1e-12
// expect l(1.9) = 0
// expect l(2.1) = 1
// expect n(0.4) = 0
// expect n(0.6) = 1
// expect n(3) = 3
// expect b(0.9) = 0
// expect b(1.1) = 1
// expect s(3) = 2.1213203435596424 +- 1e-12
// expect fired(3) = 1
// expect after(3) = 3
// expect way(3) = 6.75 +- 1e-9
// expect event 1 at 0.5 +- 1e-12
