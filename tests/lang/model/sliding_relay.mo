// expect: ok
model SlidingRelay "a relay that both sides lead to: x' = v = -x from there on"
  Real x(start = 1, fixed = true), v(start = 0.25, fixed = true);
equation
  der(x) = v;
  der(v) = -x - 2*v - 3*sign(x + v);
end SlidingRelay;
// stop 5
// expect event 3 at 0.34830669426821577 +- 1e-9
// expect x(5) = 0.008289719443203724 +- 1e-9
// expect v(5) = -0.008289719443203724 +- 1e-9
// expect events 3
