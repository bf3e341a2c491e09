// expect: ok
model Cell
  parameter Real k = 1;
  parameter Integer n = 1;
  Real x(start = 1, fixed = true), p[2] = {k, x};
equation
  der(x) = -k*x;
end Cell;
model Row
  Cell c[3](k = {1, 2, 3}, each n = 4, x(start = {5, 6, 7}));
  Cell grid[2, 2](k = [1, 2; 3, 4]);
  Real s = sum(c.x) + c[2].x + sum(c[2:3].k) + grid[2, 1].k;
  Real t[3, 2] = c.p;
end Row;
// expect flat: parameter c[2].k = 2.0
// expect flat: parameter c[2].n = 4
// expect flat: var c[3].x: Real continuous start = 7.0 fixed
// expect flat: parameter grid[2,1].k = 3.0
// expect flat: eqn s = c[1].x + c[2].x + c[3].x + c[2].x + (c[2].k + c[3].k) + grid[2,1].k
// expect flat: eqn t[2,1] = c[2].p[1]
