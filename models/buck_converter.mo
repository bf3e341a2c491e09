// A step-down converter with voltage feedback (Deane and Hamill 1990): a switch, a diode,
// a coil, a capacitor and a load.  The amplified error of the voltage is compared with a
// saw tooth; the switch conducts while the tooth is higher.  The load is lighter than
// theirs, so that the current falls to zero and the diode blocks.
model BuckConverter "a switched power supply: pulse width modulation and a diode"
  parameter Real Vin(unit = "V") = 24 "supply";
  parameter Real L(unit = "H") = 20e-3, C(unit = "F") = 47e-6, R(unit = "Ohm") = 120;
  parameter Real Vref(unit = "V") = 11.3, gain = 8.4 "of the error";
  parameter Real low(unit = "V") = 3.8, high(unit = "V") = 8.2 "ends of the saw tooth";
  parameter Real period(unit = "s") = 400e-6 "of the saw tooth";
  Real i(unit = "A", start = 0, fixed = true) "current of the coil";
  Real v(unit = "V", start = 0, fixed = true) "voltage at the load";
  Real tooth(unit = "V") = low + (high - low)*(time - since)/period "saw tooth";
  Real error(unit = "V") = gain*(v - Vref) "amplified error of the voltage";
  discrete Real since(unit = "s", start = 0, fixed = true) "when the tooth began";
  Boolean on = error < tooth "the switch conducts";
equation
  L*der(i) = if on then Vin - v elseif i > 0 then -v else 0 "the diode lets no current back";
  C*der(v) = i - v/R;
  when sample(period, period) then
    since = time;
  end when;
  annotation(experiment(StopTime = 0.012));
end BuckConverter;
