// expect: ok
model Warnings "numbers in warnings; warnings and conditions inside a when"
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
  parameter Boolean careful = true;
equation
  der(x) = -0.5;
  assert(x > 0.75, "x = " + String(x) + " is below " + String(3/4), AssertionLevel.warning);
  when x < 0.5 then
    n = pre(n) + 1;
    assert(n < 1, "n is " + String(n) + " and 100% of it", AssertionLevel.warning);
    assert(x < 2, "never told", AssertionLevel.warning);
    if careful and n > 0 then
      reinit(x, 3);
    else
      reinit(x, 7);
    end if;
    if not careful then
      assert(false, "careless");
      terminate("careless");
    end if;
  end when;
end Warnings;
// expect x(2) = 2.5 +- 1e-9
// expect n(2) = 1 +- 0
// expect warns 0: line 8, t = 0.5: x = 0.75 is below 0.75
// expect warns 1: line 11, t = 1: n is 1 and 100% of it
