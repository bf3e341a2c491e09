// A ball on a table that shakes harder than gravity can hold it: bounces, rest, lift-off
// where the table's acceleration is -g, and bounces again.
model BallOnTable "a ball that a table throws"
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real e = 0.4 "restitution";
  parameter Real A(unit = "m") = 0.02 "amplitude of the table";
  parameter Real w(unit = "rad/s") = 25 "its frequency";
  Real x(unit = "m", start = 0.3, fixed = true), v(unit = "m/s", start = 0, fixed = true);
  Real table(unit = "m") = A*sin(w*time), vt(unit = "m/s") = A*w*cos(w*time);
equation
  der(x) = v;
  der(v) = -g;
  when x <= table then
    reinit(v, vt - e*(v - vt));
  end when;
  annotation(experiment(StopTime = 3));
end BallOnTable;
