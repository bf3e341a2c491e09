// A bead on a smooth sphere.  Nothing says what carries it but its impact, which takes the
// normal part of the velocity away: so the sphere can only push outward, and the bead
// leaves it where that push would become a pull, at 2/3 of the height it came from.
model BeadOnSphere "a bead slides off a sphere and flies on"
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real R(unit = "m") = 1 "radius of the sphere";
  parameter Real x0(unit = "m") = 0.1 "where it begins, beside the top";
  Real x(unit = "m", start = x0, fixed = true), y(unit = "m", start = sqrt(R^2 - x0^2), fixed = true);
  Real vx(unit = "m/s", start = 0, fixed = true), vy(unit = "m/s", start = 0, fixed = true);
  Real vn = (x*vx + y*vy)/(x^2 + y^2) "normal velocity over the radius";
  Real E(unit = "J/kg") = (vx^2 + vy^2)/2 + g*y;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 0;
  der(vy) = -g;
  when x^2 + y^2 <= R^2 then
    reinit(vx, vx - vn*x);
    reinit(vy, vy - vn*y);
  end when;
  annotation(experiment(StopTime = 1.2));
end BeadOnSphere;
