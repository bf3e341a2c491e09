// expect: ok
// A switch joins two capacitors: the charge 5 + 3*1 is kept.
model Capacitors
  Real u1(start = 5, fixed = true), u2(start = 1, fixed = true), i;
  Boolean on = time > 0.37;
equation
  der(u1) = -i;
  3*der(u2) = i;
  0 = if on then u1 - u2 else i;
end Capacitors;
// expect u1(0.3) = 5 +- 1e-12
// expect u1(0.5) = 2 +- 1e-12
// expect u2(1) = 2 +- 1e-12
// expect events 4
