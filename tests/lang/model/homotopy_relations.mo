// expect: ok
model HomotopyRelations "branches and discrete variables on the way; actual has no value in between"
  Real x(start = 1, fixed = true), p(start = 1), q(start = 1), level;
  Boolean big = p > 1.5;
  Integer whole = integer(q);
equation
  homotopy(actual = if big then 2*p - 1.5 else p, simplified = if p > 7 then 1 else p - 2) = 2.25 + 0.5*x;
  homotopy(sqrt(q - 2) + 0.1*whole, q - 4.5) = 0.4 + p/3;
  level = homotopy(if x > 0.5 then 3 else 4, 1) + q;
  der(x) = -x;
end HomotopyRelations;
// expect p(0) = 2.125 +- 1e-12
// expect q(0) = 2.82506944444444444 +- 1e-9
// expect whole(0) = 2
// expect q(1) = 2.73214825151688313 +- 1e-7
// expect level(1) = 6.73214825151688313 +- 1e-7
