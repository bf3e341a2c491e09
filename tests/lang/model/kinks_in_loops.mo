// expect: ok
// abs, min and max of the unknown of a nonlinear equation: each branch alone ends where
// the relation changes, both together do not
model KinksInLoops
  Real w(start = 1.3, fixed = true), m(start = 1), way(start = 0, fixed = true);
  Real x(start = -1.1, fixed = true), z(start = -1);
  Real rest(start = 3), q(start = 0.4);
equation
  der(w) = -1;
  m*abs(m) = w;
  der(way) = m;
  der(x) = 0.7;
  z^3 + 2*max(z, 0.3*x)*z^2 + z = x + 0.1*min(z, 0)^2;
  rest*abs(rest) = 0;
  w + 0.1 = 0.7*q*abs(q) + 0.01*q;
end KinksInLoops;
// stop 3
// expect m(3) = -1.3038404810405297 +- 1e-7
// expect way(3) = -0.4895338434266807 +- 2e-5
// expect q(3) = -1.5047319082138668 +- 1e-7
// expect rest(3) = 0 +- 1e-14
// expect z(3) = 0.5365651646722227 +- 1e-7
