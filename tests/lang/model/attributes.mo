// expect: ok
model Attributes
  type Angle = Real(unit = "rad", displayUnit = "deg", min = -4);
  type Small = Angle(max = 4, nominal = 0.1);
  parameter Real p(min = 0) = 2 "a parameter";
  Small x(start = p/4, fixed = true, stateSelect = StateSelect.prefer) "an angle";
  Angle y(min = 0);
  Integer n(start = 3);
  Boolean b(start = true, fixed = true);
  input Real u(start = 0.25);
  output Real z = 2*u;
  Real w(min = 0) annotation(__brink(domain = true));
  parameter Real q(fixed = false, start = 1);
initial equation
  q = 3*p;
equation
  der(x) = -q*x;
  y = x;
  n = if b then 1 else 2;
  b = x > 0.1;
  w = x;
end Attributes;
// expect flat: parameter p = 2.0 min = 0.0 text "a parameter"
// expect flat: var x: Real continuous start = p/4 min = -4.0 max = 4.0 nominal = 0.1 fixed prefer 1 unit "rad" text "an angle"
// expect flat: var y: Real continuous min = 0.0 unit "rad"
// expect flat: var n: Integer discrete start = 3
// expect flat: var b: Boolean discrete start = true fixed
// expect flat: var u: Real continuous start = 0.25 input
// expect flat: eqn z = 2*u
// expect flat: var w: Real continuous min = 0.0 domain
// expect flat: var q: Real continuous start = 1.0
// expect flat: initial q = 3*p
