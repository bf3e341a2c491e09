// expect: ok
// an assertion of an initial section is checked at the start, with the values found, and nowhere else
model InitialAssertions
  Real x(start = 2.5, fixed = true), y;
initial equation
  der(y) = -3;
  assert(y > 1.4, "y is found before");
initial algorithm
  if x > 2 then
    assert(x > 3, "x is rather small", AssertionLevel.warning);
  end if;
  assert(time < 0.5, "at the start only");
equation
  der(x) = -1;
  der(y) = -2*y;
end InitialAssertions;
// expect warns 0: line 10, t = 0: x is rather small
// expect y(1) = 0.20300292485491905 +- 1e-8
