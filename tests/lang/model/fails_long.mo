// expect: ok
model FailsLong
  Real x(start = 1, fixed = true);
  parameter Real a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7;
equation
  der(x) = -1;
  when x < 0.5 then
    reinit(x, log(a1*a2*a3*a4*a5*a6*a7*x - 1e9));
  end when;
end FailsLong;
// stop 5
// expect fails: log(a1*a2*a3*a4*a5*a6*a7*x - 1000000000) has no value: a1*a2*a3*a4*a5*a6*a7*x - 1000000000 = -999997480, x = 0.5, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, ..., in reinit(x, log(a1*a2*a3*a4*a5*a6*a7*x - 1000000000)) (line 8) at t = 0.5
