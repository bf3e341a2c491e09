// expect: ok
model RotatingPendulum "string pendulum: swings while taut, flies while slack"
  parameter Real g = 9.81, l = 1, m = 1.5, k = 0.9;
  model Swing
    parameter Real g, l, m, k;
    Real phi(start = 0.7854, fixed = true), w(start = 15, fixed = true);
    Real F = m*l*w^2 - m*g*cos(phi) "string force";
  equation
    der(phi) = w;
    der(w) = -k/m*w + g/l*sin(phi);
  end Swing;
  model Fly
    parameter Real g, m, k;
    Real x, y, vx, vy;
  equation
    der(x) = vx;  der(vx) = -k/m*vx;
    der(y) = vy;  der(vy) = -k/m*vy - g;
  end Fly;
  Swing swing(g = g, l = l, m = m, k = k);
  Fly fly(g = g, m = m, k = k);
equation
  initialState(swing);
  transition(swing, fly, swing.F < 0);
  transition(fly, swing, fly.x^2 + fly.y^2 > l^2);
  when activeState(fly) then
    reinit(fly.x, l*sin(swing.phi));
    reinit(fly.y, l*cos(swing.phi));
    reinit(fly.vx,  l*swing.w*cos(swing.phi));
    reinit(fly.vy, -l*swing.w*sin(swing.phi));
  elsewhen activeState(swing) then
    reinit(swing.phi, atan2(fly.x, fly.y));
    reinit(swing.w, (fly.y*fly.vx - fly.x*fly.vy)/l^2);
  end when;
  annotation(experiment(StopTime = 8), __brink(modes = true));
end RotatingPendulum;
// Taylor series at 30 digits; the flight in closed form
// expect swing.phi(1.5) = 16.111894857855778 +- 1e-8
// expect event 1 at 1.9219988730574146 +- 1e-9
// expect event 2 at 2.6614986801952116 +- 1e-9
// expect fly.x(2.5) = 0.58472021585099365 +- 1e-9
// expect fly.y(2.5) = 0.14509394086701913 +- 1e-9
// asleep, its variables keep their last value
// expect swing.phi(2.5) = 18.250718896982436 +- 1e-8
// expect fly.x(7) = 0.84056814283172271 +- 1e-9
// expect fly.vy(7) = -4.8293118238861616 +- 1e-9
// expect swing.phi(8) = 3.2547873714181629 +- 1e-8
// expect swing.w(8) = -0.82703897579566131 +- 1e-8
// expect events 2
