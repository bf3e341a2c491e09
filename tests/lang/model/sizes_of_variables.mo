// expect: ok
function twice
  input Real v[:];
  output Real w[size(v, 1)] = 2*v;
end twice;
record P
  Real q[2];
end P;
model Rod
  parameter Integer n = 3;
  Real x[n](each start = 1, each fixed = true), A[n, 2];
equation
  for i loop
    der(x[i]) = -i*x[i];
    A[i, :] = {x[i], 2*x[i]};
  end for;
end Rod;
model Sizes "sizes need no values"
  Rod c, d[2](n = {4, 4});
  Real y[3], z;
  Integer k(start = 2, fixed = true);
  P p[2](each q = {time, 1});
  Real a[:] = 2*c.x, b[:] = c.A*{1, 1}, e[:] = {c.x[i]^2 for i}, f[:, :] = d.x;
  Real g[:] = -der(c.x) + pre(s)*ones(3), h[:] = c.A[:, 1] .* c.x, m[:, :] = transpose(c.A);
  Real n[:] = p[k].q, o[:] = {time, sin(time)}, q[:] = if time > 1 then c.x else a;
  Real r[:] = c.x[2:end], t[:, :] = transpose(c.A)*c.A, u[:] = c.x*c.A, v[:] = 2 .^ c.x;
  Real w[:, :] = {c.x[i]*o[j] for i, j}, sq[:] = c.x*c.x*a/2;
  discrete Real s(start = 0, fixed = true);
equation
  for i in 1:size(c.x, 1) loop
    y[i] = c.x[i];
  end for;
  z = sum(d[1].A[i, 2] for i in 1:size(d[1].A, 1)) + sum(1 for j in 1:size(c.A[:, 1], 1)) +
      sum(1 for j in 1:size(2*d.x, 2));
  when time > 2 then
    s = 1;
    k = 1;
  end when;
  assert(size(a, 1) == 3 and size(w, 1) == 2 and size(twice(c.x), 1) == 3, "sizes");
end Sizes;
// expect y[3](0.5) = 0.22313016014843 +- 1e-8
// expect z(0) = 15
// expect a[2](0.5) = 0.735758882342885 +- 1e-8
// expect b[1](0.5) = 1.8195919791379 +- 1e-8
// expect e[3](0) = 1
// expect f[2,4](0.5) = 0.135335283236613 +- 1e-8
// expect g[3](0) = 3
// expect h[1](0) = 1
// expect m[2,3](0) = 2
// expect n[1](0.5) = 0.5
// expect o[2](0) = 0
// expect q[1](0.5) = 1.21306131942527 +- 1e-8
// expect r[2](0) = 1
// expect t[1,2](0) = 6
// expect u[2](0) = 6
// expect v[3](0) = 2
// expect w[2,3](0) = 0
// expect sq[1](0) = 3
