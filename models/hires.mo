// "High irradiance response": how light makes the shape of a plant, as a chain of eight
// reactions of phytochrome (Schaefer 1975).  Moderately stiff: an explicit method walks,
// with a step that stability chooses.  A problem of the IVP test set.
model Hires "high irradiance response of plants: eight moderately stiff reactions"
  parameter Real k1 = 1.71, k2 = 0.43, k3 = 8.32, k4 = 0.69, k5 = 0.035, k6 = 8.32;
  parameter Real kPlus = 280, kMinus = 0.69, kStar = 0.69;
  parameter Real oks = 0.0007 "source";
  Real Pr(start = 1, fixed = true) "red absorbing phytochrome";
  Real Pfr(start = 0, fixed = true) "far-red absorbing phytochrome";
  Real PrX(start = 0, fixed = true) "Pr bound to the receptor X";
  Real PfrX(start = 0, fixed = true) "Pfr bound to X";
  Real PrX2(start = 0, fixed = true) "Pr bound to the partly formed X'";
  Real PfrX2(start = 0, fixed = true) "Pfr bound to X'";
  Real PfrX2E(start = 0, fixed = true) "Pfr, X' and the enzyme E";
  Real E(start = 0.0057, fixed = true) "enzyme";
equation
  der(Pr) = -k1*Pr + k2*Pfr + k6*PrX + oks;
  der(Pfr) = k1*Pr - (k2 + k3)*Pfr;
  der(PrX) = -(k6 + k1)*PrX + k2*PfrX + k5*PrX2;
  der(PfrX) = k3*Pfr + k1*PrX - (k2 + k4)*PfrX;
  der(PrX2) = -(k5 + k1)*PrX2 + k2*PfrX2 + k2*PfrX2E;
  der(PfrX2) = -kPlus*PfrX2*E + k4*PfrX + k1*PrX2 - k2*PfrX2 + kMinus*PfrX2E;
  der(PfrX2E) = kPlus*PfrX2*E - (k2 + kMinus + kStar)*PfrX2E;
  der(E) = -der(PfrX2E);
  annotation(experiment(StopTime = 321.8122));
end Hires;
