// expect: ok
model Jump "arguments of stairs that land on a whole number, and a wrap that is read at once"
  parameter Real tab[2] = {10, 20};
  Real x = 2*sin(time) + 0.1, y(start = 1.3, fixed = true);
  Real a = ceil(rem(x, -0.7)*div(y, 0.7)), b = mod(max(1.5, x), 1.5);
  Integer c = integer(max(-1, 3*y));
  Real d = sign(mod(time, 0.75)), e = floor(mod(y, -0.7));
  Real f = tab[if x > 0.64 then 2 else 2];
  Boolean g = mod(time, 0.75) > 0;
equation
  der(y) = -0.7;
end Jump;
// expect a(0.5) = 1
// expect a(1) = 0
// expect b(1) = 0.282941969615793 +- 1e-9
// expect b(3) = 0
// expect c(1) = 1
// expect c(2.75) = -1
// expect d(1) = 1
// expect d(2) = 1
// expect e(1) = -1
// expect e(1.9) = -1
// expect f(0.5) = 20
// expect g(1) = 1
