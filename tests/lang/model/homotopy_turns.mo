// expect: ok
model HomotopyTurns "on its way the path turns back in lambda, twice"
  Real x(start = 1.1, fixed = true), p(start = -2);
  Real jump = homotopy(sin(x), 100) "no path is needed for this";
equation
  homotopy(actual = p^3 - 3*p - 5*x, simplified = p^3 - 3*p + 5.5) = 0;
  der(x) = -x;
end HomotopyTurns;
// expect p(0) = 2.31793128750123533 +- 1e-12
// expect jump(0) = 0.89120736006143534 +- 1e-12
