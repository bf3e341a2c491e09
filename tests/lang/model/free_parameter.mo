// expect: ok
model FreeParameter "a parameter that the initial equations find is a state that rests"
  parameter Real k(fixed = false, start = 1) "k*y(0) = 3";
  parameter Real c[2](each fixed = false);
  parameter Real set(fixed = false, start = 4) = 7 "a value is a value";
  Real y(start = 2, fixed = true), z(start = 1);
initial equation
  k*y = 3;
  c[1] = 0.25;
  z = 2*c[1];
initial algorithm
  c[2] := 0.75;
equation
  der(y) = -k*y;
  der(z) = c[2] + set;
end FreeParameter;
// expect flat: var k: Real continuous start = 1.0 text "k*y(0) = 3"
// expect flat: eqn der(k) = 0.0
// expect flat: parameter set = 7.0 free start = 4.0 text "a value is a value"
// expect k(1) = 1.5 +- 1e-12
// expect y(1) = 0.44626032029685964 +- 1e-9
// expect z(1) = 8.25 +- 1e-9
