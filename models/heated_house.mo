// A house with a row of rooms, each with its own thermostat.  Neighbours exchange heat
// through their wall; every room loses some to the outside, where it gets colder and
// warmer in the course of a day.  Time is in hours.  Change the number of rooms:
// --set n=3.
record Room "what a room is made of"
  Real C(unit = "kWh/K") "heat capacity";
  Real G(unit = "kW/K") "conductance to the outside";
  Real P(unit = "kW") "power of the radiator";
  Real low(unit = "degC") "radiator on below";
  Real high(unit = "degC") "radiator off above";
end Room;

model HeatedHouse "a house of rooms in a row, each with its thermostat"
  parameter Integer n = 5 "number of rooms";
  parameter Real Gw(unit = "kW/K") = 0.05 "conductance between neighbours";
  parameter Real Tm(unit = "degC") = 2, Ta(unit = "K") = 6 "outside: mean, amplitude";
  parameter Room room[n](
    C = {1 + 0.25*mod(i, 3) for i in 1:n},
    G = {0.06 + (if i == 1 or i == n then 0.05 else 0) for i in 1:n},
    P = {2.5 + 0.5*mod(i, 4) for i in 1:n},
    low = {17 + mod(2*i, 5) for i in 1:n},
    high = {18.5 + mod(2*i, 5) for i in 1:n}) "no two alike";
  Real T[n](each unit = "degC", each start = 16, each fixed = true) "temperature";
  Boolean on[n](each start = true, each fixed = true) "radiator on";
  Real outside(unit = "degC") = Tm + Ta*sin(2*Modelica.Constants.pi*time/24)
    "temperature outside; the day begins at nine in the morning";
  Real energy(unit = "kWh", start = 0, fixed = true) "used so far";
protected
  Real wall[n + 1](each unit = "kW") "heat through each wall, towards higher numbers";
equation
  wall[1] = 0;
  for i in 2:n loop
    wall[i] = Gw*(T[i - 1] - T[i]);
  end for;
  wall[n + 1] = 0;
  for i in 1:n loop
    room[i].C*der(T[i]) = room[i].G*(outside - T[i]) + wall[i] - wall[i + 1]
      + (if on[i] then room[i].P else 0);
    when T[i] >= room[i].high then
      on[i] = false;
    elsewhen T[i] <= room[i].low then
      on[i] = true;
    end when;
  end for;
  der(energy) = sum(if on[i] then room[i].P else 0 for i in 1:n);
  annotation(experiment(StopTime = 24), __brink(timeUnit = "h"));
end HeatedHouse;
