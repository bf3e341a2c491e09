// expect: ok
// set p=2.5
// set a.k=-3
// set mode=Mode.slow
// set x=4
// set n=2
// set wet=true
model Settings
  type Mode = enumeration(fast, slow);
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  parameter Real p = 1;
  parameter Integer n = 1;
  parameter Boolean wet = false;
  parameter Mode mode = Mode.fast;
  A a(k = 7);
  Real x(start = 1, fixed = true);
  Real v[n] = fill(p, n);
equation
  der(x) = if wet then 1 else 2;
end Settings;
// expect flat: parameter p = 2.5
// expect flat: parameter a.k = -3.0
// expect flat: parameter mode = 2 of fast, slow
// expect flat: var x: Real continuous start = 4.0 fixed
// expect flat: eqn v[2] = p
// expect flat: parameter wet = true
