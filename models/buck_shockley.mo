// A step-down converter whose diode has an exponential characteristic and a junction
// capacitance, switched by a clock at a fixed duty.  The node between switch, diode and
// coil follows within nanoseconds, the output within milliseconds: nine orders of
// magnitude.
model BuckShockley "step-down converter with a Shockley diode"
  parameter Real Vin(unit = "V") = 24 "supply";
  parameter Real L(unit = "H") = 2.2e-4, C(unit = "F") = 47e-6, R(unit = "Ohm") = 11.3;
  parameter Real Ron(unit = "Ohm") = 0.05, Roff(unit = "Ohm") = 1e6 "of the switch";
  parameter Real Is(unit = "A") = 1e-9, Vt(unit = "V") = 0.0258 "of the diode";
  parameter Real Cj(unit = "F") = 0.7e-9, Rp(unit = "Ohm") = 470 "at the node";
  parameter Real period(unit = "s") = 25e-6, duty = 0.43;
  Boolean on(start = true, fixed = true) "the switch conducts";
  Real i(unit = "A", start = 0.9, fixed = true) "current of the coil";
  Real v(unit = "V", start = 9.7, fixed = true) "voltage at the load";
  Real vx(unit = "V", start = 0, fixed = true) "voltage at the node";
  Real id(unit = "A") = Is*(exp(-vx/Vt) - 1) "current of the diode";
equation
  L*der(i) = vx - v;
  C*der(v) = i - v/R;
  Cj*der(vx) = (Vin - vx)/(if on then Ron else Roff) + id - i - (vx - v)/Rp;
  when sample(period, period) then
    on = true;
  elsewhen sample(duty*period, period) then
    on = false;
  end when;
  annotation(experiment(StopTime = 1e-3));
end BuckShockley;
