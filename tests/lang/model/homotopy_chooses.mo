// expect: ok
model HomotopyChooses "three solutions, a guess near one of them: what is simplified leads to another"
  Real x(start = 1.25, fixed = true);
  Real p(start = 2), q;
equation
  homotopy(actual = p^3 - 4.3*p, simplified = p + 2.7) = 0.37*x;
  q + exp(q) = p;
  der(x) = -x;
end HomotopyChooses;
// expect p(0) = -2.0176146593817114 +- 1e-12
// expect q(0) = -2.13576842281818981 +- 1e-12
// expect p(1) = -2.05356934823543206 +- 1e-8
