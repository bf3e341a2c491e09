// The circuit of c21_diode.mo, the diode by Shockley's law: smooth, no events, and a
// nonlinear loop.
model C21DiodeShockley "an RLC circuit with a diode of Shockley's law"
  parameter Real R1(unit = "Ohm") = 1e3, R2(unit = "Ohm") = 20;
  parameter Real L(unit = "H") = 25.3e-6, C(unit = "F") = 100e-9;
  parameter Real f(unit = "Hz") = 0.15e6 "frequency of the source";
  parameter Real Is(unit = "A") = 1e-12 "saturation current", UT(unit = "V") = 0.0259;
  Real u0(unit = "V") = -sin(2*Modelica.Constants.pi*f*time) "voltage of the source";
  Real i(unit = "A", start = 0, fixed = true, nominal = 1e-3) "current of the coil";
  Real uC(unit = "V", start = 0, fixed = true) "voltage of the capacitor";
  Real iC(unit = "A", nominal = 1e-3) "its current";
  Real uD(unit = "V"), iD(unit = "A", nominal = 1e-3) "voltage and current of the diode";
equation
  L*der(i) = u0 - R1*i + uD;
  C*der(uC) = iC;
  -uD = R2*iC + uC;
  i = iC - iD;
  iD = Is*(exp(uD/UT) - 1);
  annotation(experiment(StopTime = 5e-4));
end C21DiodeShockley;
