// After ARGESIM comparison C21, "State Events and Structural-dynamic Systems" (SNE
// 2016): a circuit with an ideal diode.  Source, resistor, inductor and diode in series
// charge a capacitor with a load across it.  The diode opens when its current falls to
// zero and closes when its voltage becomes positive.  The data are chosen here.
model C21RlcDiode "an RLC circuit with an ideal diode: a half-wave rectifier"
  parameter Real U(unit = "V") = 10 "amplitude of the source";
  parameter Real f(unit = "Hz") = 50 "its frequency";
  parameter Real R(unit = "Ohm") = 5 "series resistor";
  parameter Real L(unit = "H") = 0.02 "inductor";
  parameter Real C(unit = "F") = 2e-4 "capacitor";
  parameter Real RL(unit = "Ohm") = 100 "load";
  Real u(unit = "V") = U*sin(2*Modelica.Constants.pi*f*time) "voltage of the source";
  Real i(unit = "A", start = 0, fixed = true) "current of the diode";
  Real uC(unit = "V", start = 0, fixed = true) "voltage of the capacitor";
  Boolean closed(start = false, fixed = true) "the diode conducts";
equation
  der(i) = if closed then (u - R*i - uC)/L else 0;
  C*der(uC) = i - uC/RL;
  when u > uC then
    closed = true;
  elsewhen i < 0 then
    closed = false;
    reinit(i, 0);
  end when;
  annotation(experiment(StopTime = 0.1));
end C21RlcDiode;
