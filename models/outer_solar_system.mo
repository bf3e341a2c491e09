// The sun (with the mass of the inner planets), Jupiter, Saturn, Uranus, Neptune and Pluto
// attract each other.  Positions and velocities on September 5, 1994, 0h, heliocentric, from
// Ahnert's calendar: Hairer, Lubich and Wanner, Geometric Numerical Integration, I.2.4,
// table 2.2.  Time in days, lengths in astronomical units, masses in those of the sun.
model OuterSolarSystem "six bodies: smooth orbits over many periods"
  constant Integer n = 6 "Sun, Jupiter, Saturn, Uranus, Neptune, Pluto";
  constant Real G = 2.95912208286e-4 "constant of gravitation";
  parameter Real m[n] = {1.00000597682, 0.000954786104043, 0.000285583733151,
    0.0000437273164546, 0.0000517759138449, 1/1.3e8} "masses";
  Real x[n](start = {0, -3.5023653, 9.0755314, 8.3101420, 11.4707666, -15.5387357},
    each fixed = true, each unit = "AU") "positions";
  Real y[n](start = {0, -3.8169847, -3.0458353, -16.2901086, -25.7294829, -25.2225594},
    each fixed = true, each unit = "AU") "positions";
  Real z[n](start = {0, -1.5507963, -1.6483708, -7.2521278, -10.8169456, -3.1902382},
    each fixed = true, each unit = "AU") "positions";
  Real vx[n](start = {0, 0.00565429, 0.00168318, 0.00354178, 0.00288930, 0.00276725},
    each fixed = true, each unit = "AU/d") "velocities";
  Real vy[n](start = {0, -0.00412490, 0.00483525, 0.00137102, 0.00114527, -0.00170702},
    each fixed = true, each unit = "AU/d") "velocities";
  Real vz[n](start = {0, -0.00190589, 0.00192462, 0.00055029, 0.00039677, -0.00136504},
    each fixed = true, each unit = "AU/d") "velocities";
protected
  function pull "of a mass at distance (dx, dy, dz), per distance"
    input Real m, dx, dy, dz;
    output Real q;
  algorithm
    q := G*m/(dx^2 + dy^2 + dz^2)^1.5;
  end pull;
equation
  der(x) = vx;
  der(y) = vy;
  der(z) = vz;
  for i in 1:n loop
    der(vx[i]) = sum(if j == i then 0 else
      pull(m[j], x[j] - x[i], y[j] - y[i], z[j] - z[i])*(x[j] - x[i]) for j in 1:n);
    der(vy[i]) = sum(if j == i then 0 else
      pull(m[j], x[j] - x[i], y[j] - y[i], z[j] - z[i])*(y[j] - y[i]) for j in 1:n);
    der(vz[i]) = sum(if j == i then 0 else
      pull(m[j], x[j] - x[i], y[j] - y[i], z[j] - z[i])*(z[j] - z[i]) for j in 1:n);
  end for;
  annotation(experiment(StopTime = 20000), __brink(timeUnit = "d"));
end OuterSolarSystem;
