// expect: ok
record P
  Real x, v[2];
end P;
model Cell
  Real q = 1, w[2] = {3, 4};
  P p = P(5, {6, 7});
end Cell;
model Empty "arrays of components without elements have values without elements"
  parameter Integer n = 0;
  Real x[n](each start = 1), y[n, 3], z(start = 1, fixed = true);
  Cell c[n], d[2, n];
  parameter P r[n];
  Real s = sum(x) + sum(c.q) + sum(c.w) + sum(d.p.v[1]) + sum(r.x), p = product(c.w[2]) + sum(y);
  Integer k[3] = size(d.w), m = size(r.v, 2);
equation
  der(x) = -x;
  y = zeros(n, 3);
  der(z) = sum(c.q) - z;
end Empty;
// expect s(0) = 0
// expect p(0) = 1
// expect k[1](0) = 2
// expect k[2](0) = 0
// expect k[3](0) = 2
// expect m(0) = 2
// expect z(1) = 0.367879441171442 +- 1e-9
