// A satellite in the field of earth and moon, which turn about each other once in 2*pi;
// the axes turn with them.  With these start values the orbit is closed, comes back after
// `period`, and has passed the moon at a distance of 0.006: the step size changes by three
// orders of magnitude.  Arenstorf 1963; Hairer, Norsett and Wanner I, II.0, (0.1) and (0.2).
model Arenstorf "closed orbit of a satellite around earth and moon"
  constant Real period = 17.0652165601579625588917206249 "of the closed orbit";
  parameter Real mu = 0.012277471 "mass of the moon, of which both together have 1";
  Real x(start = 0.994, fixed = true) "position on the line from the earth to the moon";
  Real y(start = 0, fixed = true) "position across it";
  Real vx(start = 0, fixed = true) "velocity";
  Real vy(start = -2.00158510637908252240537862224, fixed = true) "velocity";
  Real jacobi "Jacobi's integral, which is constant";
protected
  Real e = ((x + mu)^2 + y^2)^1.5 "distance from the earth, cubed";
  Real m = ((x - (1 - mu))^2 + y^2)^1.5 "distance from the moon, cubed";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = x + 2*vy - (1 - mu)*(x + mu)/e - mu*(x - (1 - mu))/m;
  der(vy) = y - 2*vx - (1 - mu)*y/e - mu*y/m;
  jacobi = x^2 + y^2 + 2*(1 - mu)/e^(1/3) + 2*mu/m^(1/3) - vx^2 - vy^2;
  annotation(experiment(StopTime = 17.0652165601579625588917206249));
end Arenstorf;
