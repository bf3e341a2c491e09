// A position is held by a relay with hysteresis: full force to the left or to the right.
// The relay is a function, and an algorithm says when it is asked.  The motion settles
// into a limit cycle.
model RelayControl "a mass held in place by a relay with hysteresis"
  function relay "what a relay with hysteresis puts out"
    input Real e "its input";
    input Real width "of its dead zone, to either side";
    input Real last "its output until now";
    output Real u = last;
    output Boolean switches "the output is a new one";
  algorithm
    if e >= width then
      u := 1;
    elseif e <= -width then
      u := -1;
    end if;
    switches := u*last < 0;
  end relay;

  function energy "of the oscillator"
    input Real x, v, k, m;
    output Real E;
  algorithm
    E := (k*x^2 + m*v^2)/2;
  end energy;

  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real d(unit = "N.s/m") = 0.4 "damping";
  parameter Real k(unit = "N/m") = 0.7 "stiffness";
  parameter Real force(unit = "N") = 1.5 "of the drive";
  parameter Real width(unit = "m") = 0.2 "of the dead zone, to either side";
  parameter Real wanted(unit = "m") = 0.3 "position";
  Real x(unit = "m", start = -0.8, fixed = true) "position";
  Real v(unit = "m/s", start = 0, fixed = true) "velocity";
  Real e(unit = "m") = wanted - x "error of the position";
  Real E(unit = "J") = energy(x, v, k, m) "energy";
  discrete Real u(start = 1, fixed = true) "output of the relay";
  Boolean switches(start = false, fixed = true) "the last question changed it";
  Integer switched(start = 0, fixed = true) "times";
equation
  der(x) = v;
  m*der(v) = -d*v - k*x + force*u;
algorithm
  when {e >= width, e <= -width} then
    (u, switches) := relay(e, width, pre(u));
    if switches then
      switched := pre(switched) + 1;
    end if;
  end when;
  annotation(experiment(StopTime = 30));
end RelayControl;
