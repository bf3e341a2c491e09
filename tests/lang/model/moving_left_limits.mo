// expect: ok
model Left "pre, edge, change and reinit of an element that a discrete subscript chooses"
  Integer i(start = 1, fixed = true), perm[3] = {3, 1, 2};
  Real a[3](start = {1, 2, 3}, each fixed = true), x[3](each start = 0, each fixed = true);
  Boolean f[3](each start = false, each fixed = true);
  Integer cnt[3](each start = 0, each fixed = true), rises(start = 0, fixed = true), news(start = 0, fixed = true);
  discrete Real old(start = 0, fixed = true);
equation
  der(a) = -a;
  der(x) = ones(3);
  when sample(0.5, 0.5) then
    i = mod(pre(i), 3) + 1;
    old = pre(a[i]);
    reinit(x[i], 10*i);
  end when;
algorithm
  when sample(0.25, 0.5) then
    f[i] := not f[i];
    cnt[perm[i]] := pre(cnt[perm[i]]) + i;
  end when;
equation
  when edge(f[i]) then
    rises = pre(rises) + i;
  end when;
  when change(cnt[perm[i]]) then
    news = pre(news) + cnt[perm[i]];
  end when;
end Left;
// expect f[1](0.3) = 1
// expect cnt[3](0.3) = 1
// expect cnt[1](0.8) = 2
// expect old(0.7) = 1.21306131942527 +- 1e-9
// expect x[2](0.75) = 20.25 +- 1e-9
// expect x[1](0.75) = 0.75 +- 1e-9
// expect x[3](1.25) = 30.25 +- 1e-9
// expect rises(1.4) = 6
// expect news(1.4) = 6
