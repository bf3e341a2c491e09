// expect: ok
model TwoSidedFlow "two vessels, a law for each direction that exists on its side only"
  Real h1(start = 1.3, fixed = true), h2(start = 0.4, fixed = true), q;
equation
  q = if h1 > h2 then 0.5*sqrt(h1 - h2) else -0.5*sqrt(h2 - h1);
  der(h1) = -q + 0.2*sin(0.9*time);
  der(h2) = 0.7*q - 0.1;
end TwoSidedFlow;
// h1 - h2 changes its sign five times; times from DOP853 at rtol 1e-13 with q written
// as sign(h1 - h2)*sqrt(abs(h1 - h2))/2
// expect event 1 at 4.201740657695 +- 1e-7
// expect event 2 at 6.414529782507 +- 1e-7
// expect event 5 at 18.123096830568 +- 1e-7
// expect h1(20) = -0.37874332 +- 1e-7
// expect events 5
