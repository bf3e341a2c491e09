// expect: ok
record Gas
  Real M = 1;
  Real c[3] = {1, 2, 3};
end Gas;
record Pair
  Gas a, b;
end Pair;
partial model Tank
  parameter Gas gas;
  parameter Gas mix[2] = {Gas(M = 2), Gas(M = 3)};
  parameter Pair pair(a(M = 10), b(M = 11));
end Tank;
model Filled
  extends Tank(gas(M = 5, c = {4, 5, 6}), mix(M = {7, 8}), pair(a(M = 20)));
  Real tot = sum(mix.M) + gas.M, first = gas.c[1], p = pair.a.M + pair.b.M;
end Filled;
model Values "the value of a record, given further out, wins over those of its fields"
  Filled a, b(gas = Gas(c = {1, 1, 1})), c(gas.M = 6, mix = {Gas(M = 100), Gas()});
  Filled d(pair = Pair(Gas(M = 30), Gas(M = 40))), e(pair(a = Gas(M = 50))), f(pair(b.M = 60));
  Filled g[2](gas = {Gas(M = 1000), Gas(M = 2000)}), h[2](each gas(M = 3000));
end Values;
// expect a.tot(0) = 20
// expect b.tot(0) = 16
// expect b.first(0) = 1
// expect c.tot(0) = 107
// expect c.first(0) = 4
// expect a.p(0) = 31
// expect d.p(0) = 70
// expect e.p(0) = 61
// expect f.p(0) = 80
// expect g[2].tot(0) = 2015
// expect g[2].first(0) = 1
// expect h[2].tot(0) = 3015
// expect h[2].first(0) = 4
