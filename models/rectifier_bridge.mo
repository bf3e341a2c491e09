// A bridge of four ideal diodes charges a capacitor with a load across it.  Each diode is
// one set of equations in a parameter s, which is its voltage while it blocks and its
// current while it conducts, but for a small resistance and a small conductance; which of
// both follows from the circuit as a whole.
model RectifierBridge "a full-wave rectifier with four ideal diodes"
  parameter Real U(unit = "V") = 10 "amplitude of the source";
  parameter Real f(unit = "Hz") = 50 "its frequency";
  parameter Real Ri(unit = "Ohm") = 0.5 "resistance of the source";
  parameter Real C(unit = "F") = 1e-3 "capacitor";
  parameter Real RL(unit = "Ohm") = 100 "load";
  parameter Real Ron(unit = "Ohm") = 1e-3, Goff(unit = "S") = 1e-5;
  Real u(unit = "V") = U*sin(2*Modelica.Constants.pi*f*time) "voltage of the source";
  Real uC(unit = "V", start = 0, fixed = true) "voltage of the capacitor";
  Real a(unit = "V"), b(unit = "V") "ends of the source";
  Real i(unit = "A") "current of the source";
  Real s[4] "parameter, ";
  Real v[4](each unit = "V") "voltage and ";
  Real id[4](each unit = "A") "current of each diode";
  Boolean off[4] "it blocks";
equation
  for k in 1:4 loop
    off[k] = s[k] < 0;
    v[k] = s[k]*(if off[k] then 1 else Ron);
    id[k] = s[k]*(if off[k] then Goff else 1);
  end for;
  a - b = u - Ri*i;
  v = {a - uC, -a, b - uC, -b};
  i = id[1] - id[2];
  i = id[4] - id[3];
  C*der(uC) = id[1] + id[3] - uC/RL;
  annotation(experiment(StopTime = 0.06));
end RectifierBridge;
