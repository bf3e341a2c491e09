// The cell cycle after Tyson and Novak (J. theor. Biol. 210, 2001): cyclin B and Cdh1
// exclude each other, Cdc20 ends mitosis, and the cell divides when cyclin B has fallen
// far enough: its mass is halved.  Two switches of Cdc20 with saturation constants of
// 1e-3 make it stiff.  Time is in minutes.
model CellCycle "growth and division of a cell, switched by its proteins"
  parameter Real k1 = 0.04, k2 = 0.04, k2c = 1 "synthesis and decay of cyclin B";
  parameter Real k3 = 1, k3a = 10, k4 = 35, k4a = 2, J3 = 0.04, J4 = 0.04 "Cdh1";
  parameter Real k5 = 0.005, k5c = 0.2, k6 = 0.1, J5 = 0.3 "Cdc20, all of it";
  parameter Real k7 = 1, k8 = 0.5, J7 = 1e-3, J8 = 1e-3, Mad = 1 "Cdc20, the active part";
  parameter Real k9 = 0.1, k10 = 0.02 "what activates it";
  parameter Real growth = 0.01, largest = 10 "of the mass";
  parameter Real threshold = 0.1 "of cyclin B at division";
  Real CycB(start = 0.11, fixed = true) "cyclin B";
  Real Cdh1(start = 0.87, fixed = true) "active part of Cdh1";
  Real Cdc20(start = 0.37, fixed = true) "Cdc20, all of it";
  Real Cdc20A(start = 0.18, fixed = true) "its active part";
  Real IEP(start = 0.21, fixed = true) "active part of the enzyme between";
  Real m(start = 0.62, fixed = true) "mass";
  Integer divisions(start = 0, fixed = true);
equation
  der(CycB) = k1 - (k2 + k2c*Cdh1)*CycB;
  der(Cdh1) = (k3 + k3a*Cdc20A)*(1 - Cdh1)/(J3 + 1 - Cdh1) - (k4*m*CycB + k4a*Cdc20A)*Cdh1/(J4 + Cdh1);
  der(Cdc20) = k5 + k5c*(m*CycB/J5)^4/(1 + (m*CycB/J5)^4) - k6*Cdc20;
  der(Cdc20A) = k7*IEP*(Cdc20 - Cdc20A)/(J7 + Cdc20 - Cdc20A) - k8*Mad*Cdc20A/(J8 + Cdc20A) - k6*Cdc20A;
  der(IEP) = k9*m*CycB*(1 - IEP) - k10*IEP;
  der(m) = growth*m*(1 - m/largest);
  when CycB < threshold then
    reinit(m, m/2);
    divisions = pre(divisions) + 1;
  end when;
  annotation(experiment(StopTime = 400), __brink(timeUnit = "min"));
end CellCycle;
