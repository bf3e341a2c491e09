// The Oregonator: the Belousov-Zhabotinskii reaction in three species (Field and Noyes
// 1974).  Long quiet stretches, and jumps by five orders of magnitude within seconds.
// A problem of the IVP test set.
model Orego "Oregonator: a chemical oscillator with stiff jumps"
  parameter Real s = 77.27, w = 0.161, q = 8.375e-6 "rates";
  Real hbro2(start = 1, fixed = true) "bromous acid, scaled";
  Real br(start = 2, fixed = true) "bromide, scaled";
  Real ce(start = 3, fixed = true) "cerium(IV), scaled";
equation
  der(hbro2) = s*(br + hbro2*(1 - q*hbro2 - br));
  der(br) = (ce - (1 + hbro2)*br)/s;
  der(ce) = w*(hbro2 - ce);
  annotation(experiment(StopTime = 360));
end Orego;
