// expect: ok
model Thermostat
  Boolean on(start = true, fixed = true);
  Real T(start = 20, fixed = true, unit = "degC", nominal = 20, min = -50, max = 100);
  Real r[2] annotation(__brink(reflect = r));
  Real x(min = 0) annotation(__brink(domain = true));
equation
  der(T) = if on then 2 - 0.1*T else -0.1*T;
  when T > 22 then
    on = false;
  elsewhen T < 18 then
    on = true;
  end when "hysteresis" annotation(__brink(side = "nearest"));
  annotation(__brink(zeno = "continue", sliding = "filippov", method = "taylor"),
    experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-8, Interval = 0.01));
end Thermostat;
