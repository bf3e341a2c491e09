// A double-acting hydraulic cylinder between rigid end stops.  A valve connects one chamber with the supply
// and the other with the tank, and changes over at given times.  At a stop the position is given (index 3) and
// the force of the stop is what keeps it there; away from it the force is 0 (index 1).  For each stop both laws
// are two sides of one relation: the gap while it is positive, minus the force of the stop otherwise.
// The impact is inelastic: the stop takes the speed of the piston.  It is released when its force vanishes.
model HydraulicCylinder "piston between rigid end stops: one DAE whose index changes"
  parameter Real m(unit = "kg") = 20 "mass of piston and load";
  parameter Real L(unit = "m") = 0.5 "length of the stroke";
  parameter Real A1(unit = "m2") = 2e-3, A2(unit = "m2") = 1.5e-3 "areas of the piston";
  parameter Real V0(unit = "m3") = 1e-3 "dead volume of each chamber";
  parameter Real beta(unit = "Pa") = 1e9 "bulk modulus of the oil";
  parameter Real k(unit = "m3/(s.Pa)") = 2e-10 "conductance of the valve";
  parameter Real ps(unit = "Pa") = 1e7, pt(unit = "Pa") = 1e5 "pressures of supply and tank";
  parameter Real b(unit = "N.s/m") = 500 "viscous friction";
  parameter Real t1(unit = "s") = 1.2, t2(unit = "s") = 2.8 "the valve changes over";
  Real x(unit = "m", start = 0.2, fixed = true) "position of the piston";
  Real v(unit = "m/s", start = 0, fixed = true) "its speed";
  Real p1(unit = "Pa", start = 1e6, fixed = true, nominal = 1e6) "pressure that pushes out";
  Real p2(unit = "Pa", start = 1e6, fixed = true, nominal = 1e6) "pressure that pulls in";
  Real N1(unit = "N", nominal = 1e3), N2(unit = "N", nominal = 1e3) "forces of the stops at 0 and L";
  Real s1(start = 0.2), s2(start = 0.3) "gaps, or minus the forces in kN";
  Boolean retracted(start = false), extended(start = false) "it rests at the stop";
  Boolean extend "the valve lets it move out";
equation
  extend = not (time >= t1 and time < t2);
  der(x) = v;
  m*der(v) = A1*p1 - A2*p2 - b*v + N1 - N2;
  (V0 + A1*x)*der(p1) = beta*(k*((if extend then ps else pt) - p1) - A1*v);
  (V0 + A2*(L - x))*der(p2) = beta*(k*((if extend then pt else ps) - p2) + A2*v);
  retracted = s1 < 0;
  x = if retracted then 0 else s1;
  N1 = if retracted then -1000*s1 else 0;
  extended = s2 < 0;
  L - x = if extended then 0 else s2;
  N2 = if extended then -1000*s2 else 0;
  annotation(experiment(StopTime = 4));
end HydraulicCylinder;
