// expect: ok
model EqualLevels "two vessels, one a thousandth of the other, begin empty, and at one level"
  parameter Real A = 1e-3 "of the small one";
  Real h1(start = 0, fixed = true), h2(start = 0, fixed = true);
  Real p1(start = 1e5, fixed = true), p2(start = 1e5, fixed = true);
  Real q = if h1 > h2 then sqrt(h1 - h2) else -sqrt(h2 - h1);
  Real out = if h2 > 0 then sqrt(h2) else -sqrt(-h2);
  Real r = 1e-8*sign(p1 - p2)*sqrt(abs(p1 - p2));
equation
  der(h1) = 1 - q;
  A*der(h2) = q - out;
  der(p1) = 1e10*((if time > 0.1 then 1e-6 else 0) - r);
  der(p2) = 1e12*(r - 1e-12*(p2 - 1e5));
end EqualLevels;
// Each law begins at its own zero, where its slope has no bound; r is met behind
// roundings of 1e5.
// expect h1(1) = 0.607570399 +- 2e-6
// expect h2(1) = 0.303661534 +- 2e-6
// expect p1(1) = 108871.36 +- 0.5
