// ARGESIM comparison C21, part 3: a diode across R2 and C in a series circuit, as one set
// of equations.  s is the voltage of the diode while it blocks, its current while it
// conducts; at every time one of both is zero.
model C21Diode "an RLC circuit with an ideal diode in complementarity form"
  parameter Real R1(unit = "Ohm") = 1e3, R2(unit = "Ohm") = 20;
  parameter Real L(unit = "H") = 25.3e-6, C(unit = "F") = 100e-9;
  parameter Real f(unit = "Hz") = 0.15e6 "frequency of the source";
  Real u0(unit = "V") = -sin(2*Modelica.Constants.pi*f*time) "voltage of the source";
  Real i(unit = "A", start = 0, fixed = true, nominal = 1e-3) "current of the coil";
  Real uC(unit = "V", start = 0, fixed = true) "voltage of the capacitor";
  Real iC(unit = "A", nominal = 1e-3) "its current";
  Real uD(unit = "V"), iD(unit = "A", nominal = 1e-3) "voltage and current of the diode";
  Real s "its parameter";
  Boolean off "it blocks";
equation
  L*der(i) = u0 - R1*i + uD;
  C*der(uC) = iC;
  -uD = R2*iC + uC;
  i = iC - iD;
  off = s < 0;
  uD = if off then s else 0;
  iD = if off then 0 else s;
  annotation(experiment(StopTime = 5e-4));
end C21Diode;
