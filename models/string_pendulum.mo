// The rotating pendulum of ARGESIM comparison C21 (rotating_pendulum) as one set of equations: a mass on a
// string that pulls and does not push.  Either the string is taut (index 3: the length is given, the
// force is what keeps it) or slack (index 1: the force is 0).  Both laws are two sides of one relation on s,
// which is the force while the string is taut, and minus the slack of its squared length otherwise.
// When it is taut again, the mass keeps its position and its speed along the circle; what the string
// takes away is the radial speed.
model StringPendulum "a mass on a string, taut or slack: one DAE whose index changes"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real l(unit = "m") = 1 "length of the string";
  parameter Real d(unit = "1/s") = 0 "damping over mass";
  Real x(unit = "m", start = 0, fixed = true), y(unit = "m", start = -1) "position, the pivot is at 0";
  Real vx(unit = "m/s", start = 6, fixed = true), vy(unit = "m/s", start = 0) "velocity";
  Real F(unit = "1/s2") "force of the string over mass and length";
  Real s(start = 1) "force, or minus the slack";
  Boolean slack(start = false);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x - d*vx;
  der(vy) = -F*y - d*vy - g;
  slack = s < 0;
  F = if slack then 0 else s;
  l^2 - x^2 - y^2 = if slack then -s else 0;
  annotation(experiment(StopTime = 10));
end StringPendulum;
