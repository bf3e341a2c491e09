// expect: ok
record Point
  Real x;
  Real v[2];
end Point;
function total "field by field"
  input Point p[:];
  output Real s = 0;
algorithm
  for i in 1:size(p, 1) loop
    s := s + p[i].x + sum(p[i].v);
  end for;
end total;
function make
  input Integer n;
  output Point p[n];
algorithm
  for i in 1:n loop
    p[i].x := i;
    p[i].v := {0.5*i, 2*i};
    p[i].v[1] := p[i].v[1] + 0.25;
  end for;
end make;
model Points
  parameter Point a[2] = {Point(1, {2, 3}), Point(4.5, {5, 6})};
  Point b[2], c[3] = make(3), last = c[3];
  Point part[2] = c[2:3];
  Real s = total(a), t = total(b), u = total(c[{1, 3}]);
  Real xs[3] = c.x, vs[3] = c.v[2];
equation
  for i in 1:2 loop
    b[i].x = a[3 - i].x*time;
  end for;
  b.v = a.v;
end Points;
// expect s(1) = 21.5 +- 1e-12
// expect t(0.5) = 18.75 +- 1e-12
// expect u(1) = 14.5 +- 1e-12
// expect last.v[1](1) = 1.75 +- 1e-12
// expect part[1].v[1](1) = 1.25 +- 1e-12
// expect xs[2](1) = 2 +- 1e-12
// expect vs[3](1) = 6 +- 1e-12
