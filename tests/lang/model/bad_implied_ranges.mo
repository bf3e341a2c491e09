model Part
  Real w[2] = {1, 2};
  Real q[3] if false;
end Part; model Row parameter Integer n; Real v[n] = fill(1, n); end Row;
model BadRanges
  Real x[3], y[2], s, A[3, 3], t[3], u;
  type Color = enumeration(red, green);
  Real c[Color] = {1, 2};
  Part p[3], o; Row r[2](n = {2, 3});
equation
  for i loop // expect error at 11:7: the range of 'i' is not clear: it is 1:3 for dimension 1 of 'x', but 1:2 for dimension 1 of 'y'
    x[i] = y[i];
  end for;
  for i loop // expect error at 14:7: the range of 'i' cannot be told: no array has 'i' alone as a subscript; write 'for i in 1:n'
    s = i;
  end for;
  for i loop // expect error at 17:7: the range of 'i' cannot be told: no array has 'i' alone as a subscript; write 'for i in 1:n'
    t[i + 1] = i;
  end for;
  u = sum(s[i] for i); // expect error at 20:20: the range of 'i' cannot be told: 's' has no dimension 1
  u = sum(nowhere[i] for i); // expect error at 21:11: variable 'nowhere' is not declared
  u = sum(c[i]*y[i] for i); // expect error at 22:25: the range of 'i' is not clear: it is Color for dimension 1 of 'c', but 1:2 for dimension 1 of 'y'
  u = sum(o.none[i] for i); // expect error at 23:11: 'o' has no component 'none'
  u = sum(o.q[i] for i); // expect error at 24:11: 'o.q' does not exist: its condition is false
  A = {r[i].v[j] for i, j}; // expect error at 25:25: the range of 'j' is not clear: it is 1:2 for dimension 1 of 'r[1].v', but 1:3 for dimension 1 of 'r[2].v'
  for i loop // expect error at 26:7: the range of 'i' cannot be told: no array has 'i' alone as a subscript; write 'for i in 1:n'
    for i in 1:3 loop
      x[i] = 1;
    end for;
  end for;
end BadRanges;
