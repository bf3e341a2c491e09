// A point mass on a rod, in Cartesian coordinates: Newton's law for x and y with the force
// of the rod, and the length of the rod.  lambda is determined by the second derivative of
// the length alone: a system of index 3, which brink differentiates itself.  The pendulum
// swings from the horizontal.  Nedialkov and Ramdani (2009), section 2.
//
//   brink check pendulum_index3                        the structure
//   brink run pendulum_index3 --set w0=2.1             many full turns
model PendulumIndex3 "pendulum in Cartesian coordinates: index 3"
  parameter Real G(unit = "m/s2") = 9.8 "gravity";
  parameter Real L(unit = "m") = 10 "length of the rod";
  parameter Real w0(unit = "rad/s") = 0 "angular velocity at the start";
  Real x(unit = "m", start = L, fixed = true) "position, to the right";
  Real y(unit = "m", start = 0) "position, down";
  Real lambda(unit = "1/s2", start = 0) "force of the rod, per mass and length";
initial equation
  der(y) = -L*w0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y + G;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 100));
end PendulumIndex3;
