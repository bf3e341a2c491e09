// An amplifier of two transistors with a sine of 100 Hz at its input: Kirchhoff's law at eight
// nodes, five capacitors.  A differential-algebraic system of index 1 whose states are the
// voltages of the capacitors, of the IVP test set (Mazzia and Magherini; Hairer and Wanner II,
// VI.1).  There the currents of the capacitors are written with the derivatives of both
// potentials; the matrix in front of these is singular, which a structure cannot show.
model TransistorAmplifier "amplifier of two transistors, potentials of eight nodes: index 1"
  parameter Real Ub(unit = "V") = 6 "operating voltage";
  parameter Real UF(unit = "V") = 0.026 "voltage that the currents of the transistors grow by e in";
  parameter Real alpha = 0.99 "part of the emitter current that the collector carries";
  parameter Real beta(unit = "A") = 1e-6 "saturation current of the emitters";
  parameter Real R0(unit = "Ohm") = 1000 "resistance at the input";
  parameter Real R(unit = "Ohm") = 9000 "all other resistances";
  parameter Real C[5](each unit = "F") = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6} "capacitances";
  Real v[5](each unit = "V", start = {-Ub/2, Ub/2, Ub/2, Ub/2, Ub}, each fixed = true)
    "voltages of the capacitors";
  Real U[8](each unit = "V", start = {0, Ub/2, Ub/2, Ub, Ub/2, Ub/2, Ub, 0})
    "potentials of the nodes";
  Real Ue(unit = "V") = 0.1*sin(200*Modelica.Constants.pi*time) "input";
protected
  Real i[5](each unit = "A") = C.*der(v) "currents of the capacitors";
  Real e1(unit = "A") = beta*(exp((U[2] - U[3])/UF) - 1) "emitter of the first transistor";
  Real e2(unit = "A") = beta*(exp((U[5] - U[6])/UF) - 1) "emitter of the second transistor";
equation
  v = {U[1] - U[2], U[3], U[4] - U[5], U[6], U[7] - U[8]};
  i[1] = (Ue - U[1])/R0;
  i[1] = U[2]/R + (U[2] - Ub)/R + (1 - alpha)*e1;
  i[2] = e1 - U[3]/R;
  i[3] = (Ub - U[4])/R - alpha*e1;
  i[3] = U[5]/R + (U[5] - Ub)/R + (1 - alpha)*e2;
  i[4] = e2 - U[6]/R;
  i[5] = (Ub - U[7])/R - alpha*e2;
  i[5] = U[8]/R;
  annotation(experiment(StopTime = 0.2));
end TransistorAmplifier;
