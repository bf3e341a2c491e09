// ARGESIM comparison C21, "State Events and Structural-dynamic Systems" (SNE 2016),
// task 2.1: a ball with air drag that bounces in no time.  beta = 0 is the fall in a
// vacuum, beta = 0.002 the task with drag.  The bounces accumulate at t = 27.129 s
// (beta = 0) or 25.589 s (beta = 0.002); StopTime lies before both.
model C21BallEvent "ARGESIM C21: a ball with air drag, contact as an event"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real mu = 0.9 "part of the speed that is kept";
  parameter Real beta(unit = "1/m") = 0 "air drag over mass";
  Real x(unit = "m", start = 10, fixed = true) "height";
  Real v(unit = "m/s", start = 0, fixed = true) "velocity";
equation
  der(x) = v;
  der(v) = -g - beta*smooth(1, v*abs(v));
  when x <= 0 then
    reinit(v, -mu*pre(v));
  end when;
  annotation(experiment(StopTime = 20));
end C21BallEvent;
