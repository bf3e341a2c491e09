// expect: ok
model Quotients "one event for each step, none where a quotient passes through zero"
  Real x(start = 1.1, fixed = true), q = div(x, 0.5), r = rem(x, -0.5), m = mod(-x, 0.75);
  Real t = div(0.95 - time, 0.3);
  Integer i(start = -7, fixed = true), d = div(i, 3), e = rem(i, 3), f = mod(i, 3), g = mod(i, -3);
equation
  der(x) = -1;
  when time >= 2 then
    i = 5;
  end when;
end Quotients;
// expect q(0.05) = 2
// expect q(0.5) = 1
// expect q(1.25) = 0
// expect q(1.5) = 0
// expect q(1.7) = -1
// expect r(0.5) = 0.1 +- 1e-12
// expect r(1.7) = -0.1 +- 1e-12
// expect m(0.5) = 0.15 +- 1e-12
// expect m(1.7) = 0.6 +- 1e-12
// expect d(1) = -2
// expect e(1) = -1
// expect f(1) = 2
// expect g(1) = -1
// expect f(2.05) = 2
// expect g(2.05) = -1
// expect t(0.1) = 2
// expect t(0.9) = 0
// expect event 1 at 0.05 +- 1e-9
// expect event 2 at 0.1 +- 1e-9
