// A rod that is heated at one end and loses heat at the other, cut into n cells.  The
// heater is switched by a thermostat whose sensor lies in the middle of the rod, so that
// heat takes a while to get there.  Linear between switches; the fastest rate is about
// 4 n^2 times the slowest.
model HeatedRod "heat equation with a thermostat"
  parameter Integer n = 40 "cells";
  parameter Real length(unit = "m") = 0.5;
  parameter Real a(unit = "m2/s") = 1.11e-4 "diffusivity, of copper";
  parameter Real inflow(unit = "K/m") = 260 "slope of the temperature at the heater";
  parameter Real loss(unit = "1/m") = 6.3 "of the other end, over its conductivity";
  parameter Real high(unit = "K") = 31.7 "heater off above";
  parameter Real low(unit = "K") = 30.2 "heater on below";
  parameter Real dx = length/n;
  Real T[n](each unit = "K", each start = 20, each fixed = true) "above the surroundings";
  Boolean on(start = true, fixed = true) "the heater";
  Real sensor = T[div(n, 2)] "temperature in the middle";
equation
  der(T[1]) = a/dx^2*(T[2] - T[1]) + (if on then a*inflow/dx else 0);
  for i in 2:n - 1 loop
    der(T[i]) = a/dx^2*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = a/dx^2*(T[n - 1] - T[n]) - a*loss/dx*T[n];
  when sensor > high then
    on = false;
  elsewhen sensor < low then
    on = true;
  end when;
  annotation(experiment(StopTime = 4000));
end HeatedRod;
