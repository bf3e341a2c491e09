// expect: ok
model FailsAssertion
  Real x(start = 1, fixed = true);
  parameter Real top = 3;
equation
  der(x) = x;
  assert(x < top, "x = " + String(x) + " is too large");
end FailsAssertion;
// stop 5
// expect fails: assertion x < top (line 7) fails: x = 3, top = 3 at t = 1.09861229: x = 3 is too large
