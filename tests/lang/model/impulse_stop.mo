// expect: ok
// A mass falls on a rigid stop and stays there.
model Stop
  Real x(start = 1, fixed = true), v(start = -0.5, fixed = true), N;
  discrete Boolean rest(start = false, fixed = true);
equation
  der(x) = v;
  2.5*der(v) = N - 2.5*9.81;
  0 = if rest then x - 0.4 else N;
  when x < 0.4 then rest = true; end when;
end Stop;
// expect event 1 at 0.30247457569287332 +- 1e-9
// expect x(1) = 0.4 +- 1e-12
// expect v(0.4) = 0 +- 1e-12
// expect N(0.5) = 24.525 +- 1e-9
// expect events 3
