// A step-down converter at a fixed duty cycle.  The switch closes at known times; whether
// the diode conducts follows from the circuit: s is its voltage while it blocks, its
// current while it conducts.  With switch and diode closed, or with both open while the
// coil carries a current, there is no solution.
model BuckIdeal "a switched power supply with an ideal switch and an ideal diode"
  parameter Real Vin(unit = "V") = 24 "supply";
  parameter Real L(unit = "H") = 1e-4, C(unit = "F") = 1e-4, R(unit = "Ohm") = 4;
  parameter Real T(unit = "s") = 2e-5 "period", D = 0.4 "part in which the switch conducts";
  Real iL(unit = "A", start = 1.5, fixed = true) "current of the coil";
  Real vC(unit = "V", start = 9, fixed = true) "voltage at the load";
  Real vx(unit = "V") "voltage at switch, diode and coil";
  Real iS(unit = "A"), id(unit = "A") "currents of switch and diode";
  Real s "parameter of the diode";
  Boolean on "the switch conducts", off "the diode blocks";
equation
  on = mod(time, T) < D*T;
  off = s < 0;
  -vx = if off then s else 0;
  id = if off then 0 else s;
  0 = if on then Vin - vx else iS;
  iS + id = iL;
  L*der(iL) = vx - vC;
  C*der(vC) = iL - vC/R;
  annotation(experiment(StopTime = 1e-3));
end BuckIdeal;
