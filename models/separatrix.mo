// A pendulum started at the bottom with just the energy to reach the top and not to fall
// over: phi = 2 atan(sinh t), w = 2/cosh t (Donolo 2002).  The top is unstable: a
// disturbance grows like exp t, so every computed pendulum falls in the end, back
// (w < 0) or over (phi > pi).
model Separatrix "a pendulum on its way to the upper rest"
  Real phi(unit = "rad", start = 0, fixed = true) "angle from the bottom";
  Real w(unit = "rad/s", start = 2, fixed = true) "angular velocity";
  Boolean level = phi >= Modelica.Constants.pi/2 "beyond the horizontal";
  Boolean near = phi >= 3 "near the top";
equation
  der(phi) = w;
  der(w) = -sin(phi);
  when w < 0 then
    terminate("it falls back");
  elsewhen phi > Modelica.Constants.pi then
    terminate("it falls over");
  end when;
  annotation(experiment(StopTime = 10));
end Separatrix;
