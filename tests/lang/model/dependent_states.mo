// expect: ok
// der of a variable that is a function of states: a constraint between them
model Dependent
  Real phi1(start = 0.5, fixed = true), phi2(start = 0.25, fixed = true), w1, w2;
  Real dphi = phi2 - phi1, half, energy;
  Real force = 3*dphi + 0.5*der(dphi);
equation
  w1 = der(phi1);
  w2 = der(phi2);
  der(w1) = force;
  der(w2) = -force;
  half = dphi/2;
  energy = der(half)^2;
initial equation
  w1 = 0;
  w2 = 0.75;
end Dependent;
// with d = dphi: d'' = -6 d - d', d(0) = -0.25, d'(0) = 0.75
// expect dphi(1.25) = 0.152474273791596744 +- 1e-9
// expect energy(0) = 0.140625 +- 1e-12
