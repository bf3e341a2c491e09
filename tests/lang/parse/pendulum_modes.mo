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
  transition(fly, swing, fly.x^2 + fly.y^2 > l^2, priority = 2) annotation(Line(points={{1,2}}));
  when activeState(fly) then
    reinit(fly.x, l*sin(swing.phi));
    reinit(fly.vy, -l*swing.w*sin(swing.phi));
  elsewhen activeState(swing) then
    reinit(swing.w, (fly.y*fly.vx - fly.x*fly.vy)/l^2);
  end when;
  annotation(experiment(StopTime = 8), __brink(modes = true));
end RotatingPendulum;
