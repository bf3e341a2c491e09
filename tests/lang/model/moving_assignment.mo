// expect: ok
// an element chosen while the model runs is assigned to, the others keep theirs
function bump
  input Real v[:];
  input Integer k;
  output Real w[size(v, 1)];
algorithm
  w := v;
  w[k] := w[k] + 1;
end bump;
model Ring
  Integer i(start = 1, fixed = true), j(start = 2, fixed = true);
  Real a[3](each start = 0, each fixed = true), m[3, 2](each start = 0, each fixed = true);
  discrete Real b[3](each start = 0, each fixed = true);
  Real y = m[i, j], row = sum(m[i, :]);
algorithm
  when sample(0.1, 0.2) then
    a[i] := a[i] + time;
    m[i, j] := m[i, j] + 1;
    i := mod(i, 3) + 1;
    j := mod(j, 2) + 1;
  end when;
equation
  when sample(0.1, 0.2) then
    b = bump(pre(b), pre(i));
  end when;
end Ring;
// expect i(1) = 3
// expect j(1) = 1
// expect a[1](1) = 0.8 +- 1e-12
// expect a[2](1) = 1.2 +- 1e-12
// expect a[3](1) = 0.5 +- 1e-12
// expect m[1,2](1) = 1
// expect m[3,1](1) = 0
// expect row(1) = 1
// expect y(0.6) = 0
// expect y(0.8) = 0
// expect b[2](1) = 2
// expect b[3](1) = 1
