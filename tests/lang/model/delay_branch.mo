// expect: ok
// a branch that only a delayed expression has is an event all the same
model Branch
  Real x(start = 0, fixed = true);
  Real w = delay(if x > 0.43 then x else 0.5*x, 0.2);
equation
  der(x) = 1;
end Branch;
// expect event 1 at 0.43 +- 1e-12
// expect w(0.62) = 0.21 +- 1e-12
// expect w(0.65) = 0.45 +- 1e-12
// expect w(0.75) = 0.55 +- 1e-12
// expect events 1
