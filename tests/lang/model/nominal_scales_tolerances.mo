// expect: ok
// An oscillator with a period of 1 and an amplitude of 1e-15: its absolute tolerance is
// that of `nominal`, and what equals a variable with a nominal value, or is its
// derivative, has the same.
model NominalScalesTolerances
  parameter Real w = 2*3.14159265358979324;
  parameter Real small = 1e-15;
  Real q(start = small, fixed = true, nominal = small), v, i(start = 0, fixed = true);
  Real a(start = 0, fixed = true), b(nominal = 1e-15), c;
  Real x[2](start = {small, 0}, each fixed = true, nominal = {small, 10*small});
equation
  der(q) = v;
  v = i*w;
  0 = i - c;
  c = b;
  der(i) = -w*q;
  a = x[1] + x[2] - der(a);
  der(x[1]) = w*x[2];
  der(x[2]) = -w*x[1];
end NominalScalesTolerances;
// expect q(20) = 1e-15 +- 1e-22
// expect i(20) = 0 +- 1e-22
// expect x[1](20.25) = 0 +- 1e-22
// expect x[2](20.25) = -1e-15 +- 1e-22
// expect warns 0: state 'a' is never larger than ..., and its absolute tolerance is 1e-12: it has hardly a correct digit; give it a nominal value, or set a smaller atol
