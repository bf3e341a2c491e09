// Two roads cross.  The light stays green until the queue has gone, at most for a while;
// yellow follows, then the other road has green.  Cars arrive in waves, as from the next
// light of each road.
model TrafficLight "a crossing with a light that looks at its queues"
  type Phase = enumeration(
    northGreen "cars from the north drive",
    northYellow "nobody new drives",
    eastGreen "cars from the east drive",
    eastYellow "nobody new drives");
  parameter Real drive(unit = "1/s") = 0.5 "cars that leave on green";
  parameter Real longest(unit = "s") = 40 "green, at most";
  parameter Real yellow(unit = "s") = 4 "yellow";
  parameter Real wave(unit = "s") = 75 "time between two waves of cars";
  Real north(start = 12, fixed = true) "cars that wait";
  Real east(start = 3, fixed = true) "cars that wait";
  Real fromNorth(unit = "1/s") = 0.13*(1 + 0.8*sin(2*Modelica.Constants.pi*time/wave))
    "cars that arrive";
  Real fromEast(unit = "1/s") = 0.21*(1 + 0.5*cos(2*Modelica.Constants.pi*time/wave))
    "cars that arrive";
  Phase phase(start = Phase.northGreen, fixed = true) "what the light shows";
  discrete Real since(unit = "s", start = 0, fixed = true) "the phase began";
  Integer changes(start = 0, fixed = true) "so far";
equation
  der(north) = fromNorth - (if phase == Phase.northGreen then drive else 0);
  der(east) = fromEast - (if phase == Phase.eastGreen then drive else 0);
  when pre(phase) == Phase.northGreen and (north <= 0 or time >= pre(since) + longest) then
    phase = Phase.northYellow;
    since = time;
    changes = pre(changes) + 1;
  elsewhen pre(phase) == Phase.northYellow and time >= pre(since) + yellow then
    phase = Phase.eastGreen;
    since = time;
    changes = pre(changes) + 1;
  elsewhen pre(phase) == Phase.eastGreen and (east <= 0 or time >= pre(since) + longest) then
    phase = Phase.eastYellow;
    since = time;
    changes = pre(changes) + 1;
  elsewhen pre(phase) == Phase.eastYellow and time >= pre(since) + yellow then
    phase = Phase.northGreen;
    since = time;
    changes = pre(changes) + 1;
  end when;
  annotation(experiment(StopTime = 400));
end TrafficLight;
