// expect: ok
model StartsFarAway "start values from which Newton's method alone does not arrive"
  Real x(start = 1, fixed = true);
  Real a(start = 100) "slow: a step of 1 each";
  Real b(start = -100) "flat";
  Real c(start = 0.001) "flat, a power";
  Real d(start = -5) "beyond a minimum";
  Real e "beyond a minimum, the other way";
  Real f(start = 5) "a diode";
  Real g "the matrix is singular at the start value; cosh(-g) would do, too";
  Real h(start = -3) "outside the domain of log";
  Real i(start = 4) "outside the domain of acos";
  Real j "division by zero";
  Real far = abs(g);
  Real u(start = -2), v(start = -2) "two together, outside";
equation
  der(x) = -x;
  exp(a) = 5.3*x;
  exp(b) = 5.3*x;
  c^7 = 131*x;
  d*exp(d) = 1.1*x;
  e^3 - 2*e + 2.1 = 0;
  1e-12*(exp(f/0.026) - 1) = (5*x - f)/1000;
  cosh(g) = 1e6*x;
  log(h) + h = 1.2*x;
  acos(i) = 0.1*x;
  1/j + j = 3.3*x;
  sqrt(u) + v = 3.1*x;
  log(v) + u = 2.3*x;
end StartsFarAway;
// expect a(0) = 1.66770682055807615 +- 1e-13
// expect b(0) = 1.66770682055807615 +- 1e-13
// expect c(0) = 2.00663012520745392 +- 1e-13
// expect d(0) = 0.60230368332423955 +- 1e-13
// expect e(0) = -1.78269270133454713 +- 1e-13
// expect f(0) = 0.57745948378469351 +- 1e-13
// expect far(0) = 14.5086577385239694 +- 1e-12
// expect h(0) = 1.1024578781503313 +- 1e-13
// expect i(0) = 0.99500416527802577 +- 1e-13
// expect j(0) = 2.96244047484066873 +- 1e-13
// expect u(0) = 1.71824082802199158 +- 1e-13
// expect v(0) = 1.7891831447444721 +- 1e-13
