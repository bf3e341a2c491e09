// A mass on a belt that moves with speed vb, held by a spring.  Friction falls with the relative speed,
// F = Fs/(1 + d |v - vb|): the mass sticks to the belt until the spring is as strong as Fs, slips
// back, and soon runs through a limit cycle of sticking and slipping.  Where it sticks, the solution
// slides along v = vb, and friction is the force of the spring.
model StickSlip "a mass that sticks to a belt and slips"
  parameter Real vb(unit = "m/s") = 1 "speed of the belt";
  parameter Real k(unit = "N/m") = 1, m(unit = "kg") = 1 "spring and mass";
  parameter Real Fs(unit = "N") = 1, d(unit = "s/m") = 3 "friction at rest, and how fast it falls";
  Real x(unit = "m", start = 1.2, fixed = true) "position";
  Real v(unit = "m/s", start = 0.3, fixed = true) "velocity";
  Real F(unit = "N") "force of friction";
equation
  der(x) = v;
  m*der(v) = -k*x + F;
  F = if v < vb then Fs/(1 + d*(vb - v)) else -Fs/(1 + d*(v - vb));
  annotation(experiment(StopTime = 25));
end StickSlip;
