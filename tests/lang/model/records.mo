// expect: ok
record Point
  Real x, y;
end Point;
model Records
  parameter Point a(x = 1, y = 2);
  Point p(x(start = 3, fixed = true)), q;
equation
  der(p.x) = a.x;
  p.y = 2*p.x + a.y;
  q = p;
end Records;
// expect flat: parameter a.y = 2.0
// expect flat: var p.x: Real continuous start = 3.0 fixed
// expect flat: eqn q.y = p.y
// expect q.y(2) = 12 +- 1e-9
