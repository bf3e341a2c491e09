// The bridge of rectifier_bridge.mo with diodes by Shockley's law: no events, and a loop of
// exponentials that conducts for a small part of each half period.
model BridgeShockley "a full-wave rectifier with four diodes of Shockley's law"
  parameter Real U(unit = "V") = 10 "amplitude of the source";
  parameter Real f(unit = "Hz") = 50 "its frequency";
  parameter Real Ri(unit = "Ohm") = 0.5 "resistance of the source";
  parameter Real C(unit = "F") = 1e-3 "capacitor";
  parameter Real RL(unit = "Ohm") = 100 "load";
  parameter Real Is(unit = "A") = 1e-9 "saturation current", UT(unit = "V") = 0.026 "thermal voltage";
  parameter Real G(unit = "S") = 1e-8 "leakage, without which nothing tells a + b while all diodes block";
  Real u(unit = "V") = U*sin(2*Modelica.Constants.pi*f*time) "voltage of the source";
  Real uC(unit = "V", start = 0, fixed = true) "voltage of the capacitor";
  Real a(unit = "V"), b(unit = "V") "ends of the source";
  Real i(unit = "A") "current of the source";
  Real v[4](each unit = "V") "voltage and ";
  Real id[4](each unit = "A") "current of each diode";
equation
  for k in 1:4 loop
    id[k] = Is*(exp(v[k]/UT) - 1) + G*v[k];
  end for;
  a - b = u - Ri*i;
  v = {a - uC, -a, b - uC, -b};
  i = id[1] - id[2];
  i = id[4] - id[3];
  C*der(uC) = id[1] + id[3] - uC/RL;
  annotation(experiment(StopTime = 0.06));
end BridgeShockley;
