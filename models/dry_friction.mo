// A mass on a spring with dry friction: x'' + x + sgn(x') = 0.  Each half period is an arc around -1 or
// 1; where the mass turns with the spring weaker than friction it sticks, and the friction force
// becomes that of the spring: the solution slides along x' = 0.
model DryFriction "a mass on a spring that friction brings to rest"
  parameter Real F(unit = "N") = 1 "dry friction";
  Real x(unit = "m", start = 12, fixed = true) "position";
  Real v(unit = "m/s", start = 6, fixed = true) "velocity";
  Real friction(unit = "N") "force of friction";
equation
  der(x) = v;
  der(v) = -x + friction;
  friction = -F*sign(v);
  annotation(experiment(StopTime = 30));
end DryFriction;
