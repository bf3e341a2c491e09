model BadAttributes
  Real x(strat = 1); // expect error at 2:10: 'strat' is no attribute of 'x'; did you mean 'start'?
  Real y(start = true); // expect error: start is a Boolean, but a Real is expected
  Integer n(start = 1.5); // expect error: start is a Real, but an Integer is expected
  Real z(start = y); // expect error: 'start' of 'z' must be made of parameters and constants
  Real v(unit = 3); // expect error: unit is an Integer, but a String is expected
  Real w(stateSelect = 3); // expect error: stateSelect takes StateSelect.never, avoid, default, prefer or always
  Real u(fixed = 1); // expect error: fixed is an Integer, but a Boolean is expected
  Boolean b(min = 0); // expect error: 'min' is no attribute of 'b'
equation
  der(x) = y;
end BadAttributes;
