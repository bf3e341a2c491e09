// A ring modulator: two signals are multiplied by four diodes in a ring (Horneber 1976).
// Diodes with tiny capacitors Cs beside them make it stiff, and sharp: where two diodes
// change over, currents turn within a hundredth of a microsecond.  A problem of the IVP
// test set.
model RingModulator "ring modulator: four diodes between two transformers"
  parameter Real C(unit = "F") = 1.6e-8, Cs(unit = "F") = 2e-12, Cp(unit = "F") = 1e-8;
  parameter Real Lh(unit = "H") = 4.45, Ls1(unit = "H") = 2e-3, Ls2(unit = "H") = 5e-4,
    Ls3(unit = "H") = 5e-4;
  parameter Real R(unit = "Ohm") = 25000, Rp(unit = "Ohm") = 50, Rg1(unit = "Ohm") = 36.3,
    Rg2(unit = "Ohm") = 17.3, Rg3(unit = "Ohm") = 17.3, Ri(unit = "Ohm") = 50,
    Rc(unit = "Ohm") = 600;
  parameter Real Is(unit = "A") = 40.67286402e-9 "saturation current of a diode";
  parameter Real slope(unit = "1/V") = 17.7493332 "1 over its thermal voltage";
  constant Real pi = 3.14159265358979323846;
  Real[7] U(each unit = "V", each start = 0, each fixed = true) "voltages";
  Real[8] I(each unit = "A", each start = 0, each fixed = true, each nominal = 1e-3) "currents";
  Real low(unit = "V") = 0.5*sin(2000*pi*time) "signal";
  Real high(unit = "V") = 2*sin(20000*pi*time) "carrier";
  Real[4] u(each unit = "V") "across the diodes";
  Real[4] i(each unit = "A") "through them";
equation
  u[1] = U[3] - U[5] - U[7] - high;
  u[2] = -U[4] + U[6] - U[7] - high;
  u[3] = U[4] + U[5] + U[7] + high;
  u[4] = -U[3] - U[6] + U[7] + high;
  for k in 1:4 loop
    i[k] = Is*(exp(slope*u[k]) - 1);
  end for;
  C*der(U[1]) = I[1] - 0.5*I[3] + 0.5*I[4] + I[7] - U[1]/R;
  C*der(U[2]) = I[2] - 0.5*I[5] + 0.5*I[6] + I[8] - U[2]/R;
  Cs*der(U[3]) = I[3] - i[1] + i[4];
  Cs*der(U[4]) = -I[4] + i[2] - i[3];
  Cs*der(U[5]) = I[5] + i[1] - i[3];
  Cs*der(U[6]) = -I[6] - i[2] + i[4];
  Cp*der(U[7]) = -U[7]/Rp + i[1] + i[2] - i[3] - i[4];
  Lh*der(I[1]) = -U[1];
  Lh*der(I[2]) = -U[2];
  Ls2*der(I[3]) = 0.5*U[1] - U[3] - Rg2*I[3];
  Ls3*der(I[4]) = -0.5*U[1] + U[4] - Rg3*I[4];
  Ls2*der(I[5]) = 0.5*U[2] - U[5] - Rg2*I[5];
  Ls3*der(I[6]) = -0.5*U[2] + U[6] - Rg3*I[6];
  Ls1*der(I[7]) = -U[1] + low - (Ri + Rg1)*I[7];
  Ls1*der(I[8]) = -U[2] - (Rc + Rg1)*I[8];
  annotation(experiment(StopTime = 1e-3));
end RingModulator;
