// expect: ok
record Item
  Real x;
  Integer n[2];
  String label;
end Item;
model Rearranged "arrays of texts, records and literals, put together anew"
  type E = enumeration(a, b, c);
  parameter String s[2] = {"p", "q"}, all[:] = cat(1, s, {"r"}), m[2, 2] = [s, {"t", "u"}];
  parameter String t[2, 2] = transpose(m), v[2] = vector([s[2]; "w"]), one = scalar({{"z"}});
  parameter Item items[2] = {Item(1.5, {1, 2}, "first"), Item(2.5, {3, 4}, "second")};
  parameter Item more[3] = cat(1, items, {Item(3.5, {5, 6}, "third")});
  parameter Item square[2, 2] = [items, more[2:3]];
  parameter Item turned[2, 2] = transpose(square);
  E e[3] = cat(1, {E.a}, {E.c, E.b}), f[3, 1] = matrix(e), g = scalar({E.b}), h[1] = vector(E.c);
  E k[2, 2] = [E.a, E.b; E.c, E.a];
  Boolean b[2] = cat(1, {time > 1}, {false});
  Real x[3] = more.x, y = turned[1, 2].x, z = sum(turned.n[2]), w[2, 2] = [1, 2; 3.5, time];
equation
  assert(time < 1, all[3] + m[1, 2] + t[1, 2] + v[2] + one + more[3].label + turned[1, 2].label);
end Rearranged;
// expect e[2](0) = 3
// expect f[3,1](0) = 2
// expect g(0) = 2
// expect h[1](0) = 3
// expect k[2,1](0) = 3
// expect b[1](0) = 0
// expect x[3](0) = 3.5
// expect y(0) = 2.5
// expect z(0) = 16
// expect w[2,2](0.5) = 0.5
// stop 2
// expect fails: assertion time < 1 (line 20) fails at t = 1: rtqwzthirdsecond
