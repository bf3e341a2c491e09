// ARGESIM comparison C21, "State Events and Structural-dynamic Systems" (SNE 2016),
// rotating pendulum: two states while the string is taut, four while it is slack.
// The string goes slack when its force vanishes; there x^2 + y^2 - l^2 has a triple
// zero.  When it is taut again, the radial speed is lost.
model RotatingPendulum "ARGESIM C21: a mass on a string that swings while taut and flies while slack"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real l(unit = "m") = 1 "length of the string";
  parameter Real d(unit = "1/s") = 0 "damping over mass";

  model Swing "on the circle"
    parameter Real g, l, d;
    Real phi(unit = "rad", start = 0, fixed = true) "angle from below";
    Real w(unit = "rad/s", start = 6, fixed = true) "angular velocity";
    Real F(unit = "N/kg") = g*cos(phi) + l*w^2 "force of the string over mass";
  equation
    der(phi) = w;
    der(w) = -g/l*sin(phi) - d*w;
  end Swing;

  model Fly "inside of the circle"
    parameter Real g, d;
    Real x(unit = "m"), y(unit = "m") "position, the pivot is at 0";
    Real vx(unit = "m/s"), vy(unit = "m/s") "velocity";
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -d*vx;
    der(vy) = -g - d*vy;
  end Fly;

  Swing swing(g = g, l = l, d = d);
  Fly fly(g = g, d = d);
  Real x(unit = "m") = if activeState(fly) then fly.x else l*sin(swing.phi) "to the right";
  Real y(unit = "m") = if activeState(fly) then fly.y else -l*cos(swing.phi) "up";
equation
  initialState(swing);
  transition(swing, fly, swing.F < 0);
  transition(fly, swing, fly.x^2 + fly.y^2 > l^2);
  when activeState(fly) then
    reinit(fly.x, l*sin(swing.phi));
    reinit(fly.y, -l*cos(swing.phi));
    reinit(fly.vx, l*swing.w*cos(swing.phi));
    reinit(fly.vy, l*swing.w*sin(swing.phi));
  elsewhen activeState(swing) then
    reinit(swing.phi, atan2(fly.x, -fly.y));
    reinit(swing.w, (fly.vx*(-fly.y) + fly.vy*fly.x)/l^2);
  end when;
  annotation(experiment(StopTime = 10), __brink(modes = true));
end RotatingPendulum;
