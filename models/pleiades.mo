// Seven stars in a plane attract each other, star i with mass i.  Quasi-collisions make
// the step size change by orders of magnitude.  A problem of the IVP test set
// (Mazzia and Magherini; Hairer, Norsett and Wanner I, II.10).
model Pleiades "seven stars in a plane: an n-body problem with near collisions"
  constant Integer n = 7 "number of stars";
  parameter Real m[n] = 1:n "masses, times the constant of gravitation";
  Real x[n](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true) "positions";
  Real y[n](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true) "positions";
  Real vx[n](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true) "velocities";
  Real vy[n](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true) "velocities";
protected
  function pull "of a star at distance (dx, dy), per distance"
    input Real m, dx, dy;
    output Real q;
  algorithm
    q := m/(dx^2 + dy^2)^1.5;
  end pull;
equation
  der(x) = vx;
  der(y) = vy;
  for i in 1:n loop
    der(vx[i]) = sum(if j == i then 0 else pull(m[j], x[j] - x[i], y[j] - y[i])*(x[j] - x[i])
      for j in 1:n);
    der(vy[i]) = sum(if j == i then 0 else pull(m[j], x[j] - x[i], y[j] - y[i])*(y[j] - y[i])
      for j in 1:n);
  end for;
  annotation(experiment(StopTime = 3));
end Pleiades;
