// expect: ok
// Delays in modes, on the clock of the run: a variable of a mode that slept is looked
// back at as it was held, jumps at entries included.  Method of steps in 40 digits.
model DelayedModes
  model Charge
    parameter Real d = 0.37;
    Real x(start = 0.21, fixed = true);
  equation
    der(x) = 1.3 - 0.7*delay(x, d);
  end Charge;
  model Rest
    parameter Real d = 0.37;
    Real u(start = 0.83);
  equation
    der(u) = -0.45*delay(u, d);
  end Rest;
  Charge charge;
  Rest rest;
  Real z(start = 0.1, fixed = true);
  Real late = delay(rest.u + time, 0.61);
equation
  der(z) = delay(charge.x, 0.61) - 0.2;
  initialState(charge);
  transition(charge, rest, charge.x > 1.1);
  transition(rest, charge, rest.u < 0.63);
  when activeState(rest) then
    reinit(rest.u, charge.x);
  elsewhen activeState(charge) then
    reinit(charge.x, 0.4*rest.u);
  end when;
end DelayedModes;
// stop 6
// expect event 1 at 0.85365086365367266 +- 1e-12
// expect event 2 at 2.00526083058299371 +- 1e-12
// expect event 3 at 3.04511478910307472 +- 1e-12
// expect event 4 at 4.26608739383265027 +- 1e-12
// expect event 5 at 5.30594135235273128 +- 1e-12
// expect charge.x(0.9) = 1.1 +- 1e-12
// expect rest.u(0.9) = 1.08268859757464674 +- 1e-12
// expect late(0.9) = 1.12 +- 1e-12
// expect charge.x(2.3) = 0.408211759791013336 +- 1e-12
// expect late(2.3) = 2.43948128399578514 +- 1e-12
// expect z(2.3) = 1.27224311643062672 +- 1e-12
// expect rest.u(3.7) = 0.85926378753137036 +- 1e-12
// expect late(3.7) = 4.17727504271072168 +- 1e-12
// expect rest.u(5.9) = 0.887398247196088529 +- 1e-12
// expect late(5.9) = 5.92 +- 1e-12
// expect z(5.9) = 3.54745672229340743 +- 1e-12
// expect events 5
