// The ball with compliant contact of Breitenecker et al., equations (15) and (16), with
// data chosen here: soft enough to see the contact.  After the fifth touch the ball
// stays on the floor and its oscillation dies out.
model CompliantBall "a ball on a spring and damper, in flight and in contact"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real k(unit = "N/m") = 1000 "stiffness";
  parameter Real d(unit = "N.s/m") = 10 "damping";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = 1, fixed = true) "height of the mass";
  Real v(unit = "m/s", start = 0, fixed = true) "velocity";
  Real w(unit = "m", start = 0, fixed = true) "deformation";
  Boolean contact(start = false, fixed = true) "on the floor";
  Real F(unit = "N") = if contact then -k*x - d*v else 0 "force of the floor";
equation
  der(x) = v;
  m*der(v) = F - m*g;
  der(w) = if contact then -v else -k/d*w;
  when x + w <= 0 then
    contact = true;
    reinit(w, -x);
  elsewhen k*x + d*v >= 0 then
    contact = false;
  end when;
  annotation(experiment(StopTime = 3));
end CompliantBall;
