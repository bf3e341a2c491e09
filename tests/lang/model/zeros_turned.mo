// expect: ok
model ZerosTurned "relations at their zero, which another law makes of what they read"
  Real x(start = 0, fixed = true);
  Real y = sign(min(x, 0)), w = sign(max(x, 2*x));
  Boolean b = max(x, 2*x) > 0, c = min(x, 0) > 0, d = min(x, 0) >= 0;
  Integer k(start = 0, fixed = true), l(start = 0, fixed = true);
equation
  der(x) = 1;
  when b then
    k = pre(k) + 1;
  end when;
  when c then
    l = pre(l) + 1;
  end when;
end ZerosTurned;
// expect y(0.5) = 0
// expect w(0.5) = 1
// expect b(0.5) = 1
// expect c(0.5) = 0
// expect d(0.5) = 1
// expect k(0.5) = 1
// expect l(0.5) = 0
