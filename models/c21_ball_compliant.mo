// ARGESIM comparison C21, "State Events and Structural-dynamic Systems" (SNE 2016),
// task 2.2: the ball is a mass on a spring and damper of deformation w.  In flight w
// relaxes; contact begins when the lower end x + w reaches the floor and ends when the
// floor would have to pull.  After nine separations the ball stays on the floor.
model C21BallCompliant "ARGESIM C21: a ball with air drag, compliant contact"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real k(unit = "N/m") = 1e6 "stiffness";
  parameter Real d(unit = "N.s/m") = 500 "damping";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real beta(unit = "kg/m") = 0.002 "air drag";
  Real x(unit = "m", start = 10, fixed = true) "height of the mass";
  Real v(unit = "m/s", start = 0, fixed = true) "velocity";
  Real w(unit = "m", start = 0, fixed = true) "deformation";
  Boolean contact(start = false, fixed = true) "on the floor";
  discrete Real hMax(unit = "m", start = 10, fixed = true) "last greatest height";
  discrete Real wMax(unit = "m", start = 0, fixed = true) "last greatest deformation";
equation
  der(x) = v;
  m*der(v) = if contact then -m*g - k*x - d*v else -m*g - beta*smooth(1, v*abs(v));
  der(w) = if contact then -v else -k/d*w;
  when x + w <= 0 then
    contact = true;
    reinit(w, -x);
  elsewhen k*x + d*v >= 0 then
    contact = false;
  end when;
  when v <= 0 then
    hMax = x;
  end when;
  when v >= 0 then
    wMax = w;
  end when;
  annotation(experiment(StopTime = 4.322));
end C21BallCompliant;
