// expect: ok
// a relay that learns of the zero a quarter late: events every half
model Relay
  Real x(start = 0.3, fixed = true);
  Boolean up = delay(x, 0.25) < 0;
equation
  der(x) = if up then 1 else -1;
end Relay;
// expect event 1 at 0.55 +- 1e-9
// expect event 4 at 2.05 +- 1e-9
// expect event 7 at 3.55 +- 1e-9
// expect events 7
// expect x(4) = 0.2 +- 1e-9
