// expect: ok
function square
  input Real x;
  input Real k = 1;
  output Real y = k*x^2;
end square;
function longest
  input Real v[:];
  output Real m = max(v);
  output Integer at = 1;
algorithm
  for i in 2:size(v, 1) loop
    if v[i] > v[at] then
      at := i;
    end if;
  end for;
end longest;
record P
  Real x, y;
end P;
function turned
  input P p;
  output P q = P(-p.y, p.x);
end turned;
model Elementwise
  Real v[3] = square({1, 2, 3}), u[2, 2] = square([1, 2; 3, 4], 2);
  Real z[3] = square({1, 2, 3}, k = {4, 5, 6}), w[2] = longest([1, 2, time; 4, 3, 2]);
  P p[2] = {P(1, 2), P(3, time)}, q[2] = turned(p);
  Integer n[2] = level({time, 2*time});
  function level
    input Real x;
    output Integer n = if x > 1 then 1 else 0;
  end level;
end Elementwise;
// expect v[3](0) = 9
// expect u[2,1](0) = 18
// expect z[2](0) = 20
// expect w[1](7) = 7
// expect w[2](7) = 4
// expect q[2].x(7) = -7
// expect q[1].y(7) = 1
// expect n[1](0.75) = 0
// expect n[2](0.75) = 1
// expect event 1 at 0.5 +- 1e-12
