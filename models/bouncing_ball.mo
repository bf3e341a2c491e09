// The ball of Donolo (2002): height 0.2 m, g = 9.8 m/s2, nine tenths of the speed kept.
// Bounce n is at t_n = t_1 (1 + 2 e (1 - e^(n-1))/(1 - e)), t_1 = sqrt(2 h0/g); the
// bounces accumulate at t_1 (1 + e)/(1 - e) = 3.8385796693 s.  StopTime lies before it.
model BouncingBall "a ball that falls and bounces"
  parameter Real e = 0.9 "coefficient of restitution";
  parameter Real g(unit = "m/s2") = 9.8 "gravity";
  Real h(unit = "m", start = 0.2, fixed = true) "height";
  Real v(unit = "m/s", start = 0, fixed = true) "velocity";
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 3.5));
end BouncingBall;
