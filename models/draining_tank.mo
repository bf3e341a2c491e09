// A tank that runs dry.  Torricelli's outflow is a square root of the level, so the tank
// has one law while there is water and another one when it is empty; the level is never
// tried below zero.  The pump stops for a while, and later fills the tank again.
model DrainingTank "a tank with a hole that runs dry and is filled again"
  parameter Real A(unit = "m2") = 0.06 "section of the tank";
  parameter Real a(unit = "m2") = 5e-4 "opening";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real qPump(unit = "m3/s") = 1.8e-3 "flow of the pump";
  parameter Real stop(unit = "s") = 20, resume(unit = "s") = 80 "the pump rests";
  Real h(unit = "m", start = 0.25, fixed = true, min = 0) "level"
    annotation(__brink(domain = true));
  Real qIn(unit = "m3/s") = if time < stop or time >= resume then qPump else 0 "from the pump";
  Real qOut(unit = "m3/s") = if empty then 0 else a*sqrt(2*g*h) "through the hole";
  Boolean empty(start = false, fixed = true) "there is no water";
equation
  A*der(h) = qIn - qOut;
  when h <= 0 then
    empty = true;
  elsewhen qIn > 0 then
    empty = false;
  end when;
  when h >= 0.5 then
    terminate("the tank is full enough");
  end when;
  annotation(experiment(StopTime = 200));
end DrainingTank;
