// expect: ok
// Line 11 less line 10 is of first order, and the derivative of that contains line 10 again:
// x = sin(t), y = exp(-t), by two combinations.
model TwoRounds
  Real x(start = 0), y(start = 1);
  Real p = -sin(time) + exp(-time);
  Real q = cos(time) + sin(time) - 2*exp(-time);
equation

  der(der(x)) + der(der(y)) = p;
  der(der(x)) + der(der(y)) + der(x) + der(y) + x - y = p + q;
end TwoRounds;
// expect x(1.7) = 0.99166481045246857 +- 1e-8
// expect y(1.7) = 0.18268352405273466 +- 1e-8
