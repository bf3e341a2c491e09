// Two tanks, one above the other.  A pump with a float switch fills the upper tank, which
// drains into the lower one; a valve with a float switch empties that.  Outflow follows
// Torricelli.  The data are chosen here.
model TwoTanks "two tanks with a pump and a valve on float switches"
  parameter Real A1(unit = "m2") = 0.05 "section of the upper tank";
  parameter Real A2(unit = "m2") = 0.08 "section of the lower tank";
  parameter Real a1(unit = "m2") = 4e-4 "opening of the upper tank";
  parameter Real a2(unit = "m2") = 9e-4 "opening of the valve";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real qPump(unit = "m3/s") = 2.5e-3 "flow of the pump";
  Real h1(unit = "m", start = 0.4, fixed = true, min = 0) "level of the upper tank";
  Real h2(unit = "m", start = 0.3, fixed = true, min = 0) "level of the lower tank";
  Real q(unit = "m3/s") = a1*sqrt(2*g*h1) "flow from tank to tank";
  Boolean pump(start = true, fixed = true) "pump runs";
  Boolean open(start = false, fixed = true) "valve is open";
equation
  A1*der(h1) = (if pump then qPump else 0) - q;
  A2*der(h2) = q - (if open then a2*sqrt(2*g*h2) else 0);
  when h1 >= 0.6 then
    pump = false;
  elsewhen h1 <= 0.25 then
    pump = true;
  end when;
  when h2 >= 0.5 then
    open = true;
  elsewhen h2 <= 0.15 then
    open = false;
  end when;
  annotation(experiment(StopTime = 200));
end TwoTanks;
