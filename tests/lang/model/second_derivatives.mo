// expect: ok
model Second "der(der(...)) where the first derivative has a name of its own, or an equation"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), y(start = 2, fixed = true);
  Real e = der(x*v), g = der(der(x^2)), a = der(der(x)), b = der(der(y));
  Real p[2](start = {1, 0}, each fixed = true), q[2] = der(der(p));
equation
  v = der(x);
  der(v) = -x;
  der(y) = -0.5*y;
  der(p) = {-p[2], p[1]};
end Second;
// x = cos t, v = -sin t, y = 2 exp(-t/2), p = {cos t, sin t}
// expect e(1) = 0.416146836547142 +- 1e-9
// expect g(1) = 0.832293673094285 +- 1e-8
// expect a(1) = -0.54030230586814 +- 1e-9
// expect b(1) = 0.303265329856317 +- 1e-9
// expect q[2](1) = -0.841470984807897 +- 1e-9
