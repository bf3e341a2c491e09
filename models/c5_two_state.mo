// ARGESIM comparison C5, "Two State Model" (EUROSIM Simulation News Europe 1992).  The
// input of a stiff linear system (time constants 3.7e-7 s and 0.28 s) changes whenever
// the fast state reaches a bound.  The fifth switch lies 3.5e-7 s before the end.
// An explicit method needs about four million steps.
model C5TwoState "ARGESIM C5: a stiff system switched by its fast state"
  constant Real c1 = 2.7e6 "rate of the fast state";
  constant Real c3 = 3.5651205 "rate of the slow state";
  parameter Real high = 5.8 "upper bound of y1";
  parameter Real low = 2.5 "lower bound of y1";
  Boolean rising(start = true, fixed = true) "towards the upper bound";
  Real c2 = if rising then 0.4 else -0.3 "what y1 lies above y2 in the end";
  Real c4 = if rising then 5.5 else 2.73 "what y2 tends to";
  Real y1(start = 4.2, fixed = true) "fast state";
  Real y2(start = 0.3, fixed = true) "slow state";
equation
  der(y1) = c1*(y2 + c2 - y1);
  der(y2) = c3*(c4 - y2);
  when pre(rising) and y1 >= high then
    rising = false;
  elsewhen not pre(rising) and y1 <= low then
    rising = true;
  end when;
  annotation(experiment(StopTime = 5));
end C5TwoState;
