// A room, a heater and a thermostat with hysteresis.  Between switches the temperature
// is an exponential, so all times are known in closed form.  Time is in hours.
model Thermostat "a room heated by a thermostat with hysteresis"
  parameter Real Ta(unit = "degC") = 5 "temperature outside";
  parameter Real tau(unit = "h") = 0.5 "time constant of the room";
  parameter Real rise(unit = "K") = 30 "what the heater adds in the long run";
  parameter Real low(unit = "degC") = 19 "heater on below";
  parameter Real high(unit = "degC") = 21 "heater off above";
  Real T(unit = "degC", start = 15, fixed = true) "temperature of the room";
  Boolean on(start = true, fixed = true) "heater on";
equation
  tau*der(T) = Ta - T + (if on then rise else 0);
  when T >= high then
    on = false;
  elsewhen T <= low then
    on = true;
  end when;
  annotation(experiment(StopTime = 2), __brink(timeUnit = "h"));
end Thermostat;
