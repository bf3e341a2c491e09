// The vehicle of Esposito and Kumar (2007), example 1, equations (22) and (23): it drives
// straight, then along an arc, and must not touch the walls of a corridor.  The wall at
// the corner is touched for a short time only, and nothing is wrong at either end of a
// step that jumps over it.  The start is chosen here.
model CorridorVehicle "a vehicle in a corridor, to be stopped at the walls"
  parameter Real speed(unit = "m/s") = 1 "forward velocity";
  Real x(unit = "m", start = 0, fixed = true) "position along the corridor";
  Real y(unit = "m", start = 0, fixed = true) "position across it";
  Real theta(unit = "rad", start = -0.2, fixed = true) "heading";
equation
  der(x) = speed*cos(theta);
  der(y) = speed*sin(theta);
  der(theta) = if x < 1.75 then 0 else 0.2;
  when y >= 0.5 or x >= 3.5 or (y <= -0.4 and x <= 2.8) then
    terminate("the vehicle touches a wall");
  end when;
  annotation(experiment(StopTime = 10));
end CorridorVehicle;
