// expect: ok
model BuiltIns
  parameter Integer n = 7;
  Real x(start = 0.5, fixed = true), a, b, c, d, e, f, g, h, k;
  Integer i, j;
  Boolean p, q;
equation
  der(x) = 1;
  a = abs(x);
  b = sign(x);
  c = floor(x/2);
  d = mod(x, 3);
  e = rem(x, 3);
  f = div(x, 3);
  g = min(x, 2) + max(x, time);
  h = semiLinear(x, 2, 3);
  k = noEvent(abs(x)) + smooth(0, if x > 7 then x else 7) + homotopy(actual = x, simplified = 1);
  i = integer(x);
  j = mod(n, 3) + div(n, 2);
  p = x > 1 and not x > 3;
  q = n > 3 or x > 1;
end BuiltIns;
// expect flat: eqn a = if {abs(x)} then x else -x
// expect flat: eqn c = [floor(x/2)]
// expect flat: eqn d = x - [mod(x, 3)]*3
// expect flat: eqn i = [integer(x)]
// expect flat: eqn j = mod(n, 3) + div(n, 2)
// expect flat: eqn k = abs(x) + (if x > 7 then x else 7) + (if lambda < 1.0 then if lambda > 0.0 then lambda*x + (1.0 - lambda) else 1.0 else x)
// expect flat: eqn q = n > 3 or {x > 1}
// expect flat: relation x >= 0.0
// expect flat: relation x >= time
// expect d(4) = 1.5 +- 1e-9
// expect e(4) = 1.5 +- 1e-9
// expect f(6) = 2 +- 1e-9
// expect g(6) = 8.5 +- 1e-9
// expect i(6) = 6 +- 0
// expect j(6) = 4 +- 0
// expect p(1) = 1 +- 0
// expect p(6) = 0 +- 0
// expect k(1) = 10 +- 1e-9
