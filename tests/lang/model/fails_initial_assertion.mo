// expect: ok
model FailsInitialAssertion "an assertion of an initial section holds at the start only"
  Real x(start = 2.5), y(start = 1, fixed = true);
initial equation
  x = 2*y + 0.25;
  assert(y < 1.5, "true");
  assert(x > 2.5, "x must begin above 2.5, not at " + String(x));
equation
  der(x) = -1;
  der(y) = 1;
end FailsInitialAssertion;
// stop 5
// expect fails: assertion not initial() or x > 2.5 (line 7) fails: x = 2.25 at t = 0: x must begin above 2.5, not at 2.25
