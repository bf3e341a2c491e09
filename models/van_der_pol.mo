// Van der Pol's oscillator with strong damping: the fast jumps take 1/mu^2 of a period.
// A problem of the IVP test set, in its own time.
model VanDerPol "van der Pol's oscillator, mu = 1000: slow arcs and fast jumps"
  parameter Real mu = 1000 "damping";
  Real x(start = 2, fixed = true) "deflection";
  Real v(start = 0, fixed = true) "its rate";
equation
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
  annotation(experiment(StopTime = 2000));
end VanDerPol;
