// expect: ok
model Unbound
  parameter Real p; // expect warning: the parameter 'p' has no value; 0 is taken
  parameter Real q(start = 2);
  Real x = p + q;
end Unbound;
// expect flat: parameter p = 0.0
// expect flat: parameter q = 2.0 start = 2.0
