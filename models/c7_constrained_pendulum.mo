// ARGESIM comparison C7, "Constrained Pendulum" (EUROSIM Simulation News Europe 1993),
// task a.  The string meets a pin at the angle phiPin; the free length shrinks to
// l - lPin and the velocity of the mass, length times w, is kept.
model C7ConstrainedPendulum "ARGESIM C7: a pendulum whose string meets a pin"
  parameter Real m(unit = "kg") = 1.02 "mass";
  parameter Real l(unit = "m") = 1 "length of the string";
  parameter Real lPin(unit = "m") = 0.7 "distance of the pin";
  parameter Real d(unit = "kg/s") = 0.2 "damping";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real phiPin(unit = "rad") = -Modelica.Constants.pi/12 "angle of the pin";
  parameter Real lShort(unit = "m") = l - lPin "length below the pin";
  Real phi(unit = "rad", start = Modelica.Constants.pi/6, fixed = true) "angle";
  Real w(unit = "rad/s", start = 0, fixed = true) "angular velocity";
  Boolean short = phi <= phiPin "the string lies on the pin";
equation
  der(phi) = w;
  der(w) = -g/(if short then lShort else l)*sin(phi) - d/m*w;
  when short then
    reinit(w, pre(w)*l/lShort);
  elsewhen not short then
    reinit(w, pre(w)*lShort/l);
  end when;
  annotation(experiment(StopTime = 10));
end C7ConstrainedPendulum;
