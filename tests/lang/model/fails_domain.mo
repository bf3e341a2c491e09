// expect: ok
model FailsDomain
  Real x(start = 1.7, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -0.5;
  der(y) = 2*log(x - 1);
end FailsDomain;
// stop 5
// expect fails: log(x - 1) has no value: x - 1 = ..., x = 1, in der(y) = 2*log(x - 1) (line 6) at t = 1.4; no smaller step avoids it: end or change the law before, by a when or an if
