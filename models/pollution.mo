// Air pollution at the ground: 25 reactions of 20 species, with sunlight constant (Verwer
// 1994, after a model of the Dutch institute of public health).  Rates from 1e-3 to 4e11
// per minute.  A problem of the IVP test set.
model Pollution "air pollution: 25 reactions of 20 species"
  constant Real[25] k = {0.35, 26.6, 12300, 0.00086, 0.00082, 15000, 0.00013, 24000,
    16500, 9000, 0.022, 12000, 1.88, 16300, 4.8e+06, 0.00035,
    0.0175, 1e+08, 4.44e+11, 1240, 2.1, 5.78, 0.0474, 1780,
    3.12} "rates";
  Real NO2(start = 0, fixed = true);
  Real NO(start = 0.2, fixed = true);
  Real O3P(start = 0, fixed = true);
  Real O3(start = 0.04, fixed = true);
  Real HO2(start = 0, fixed = true);
  Real OH(start = 0, fixed = true);
  Real HCHO(start = 0.1, fixed = true);
  Real CO(start = 0.3, fixed = true);
  Real ALD(start = 0.01, fixed = true);
  Real MEO2(start = 0, fixed = true);
  Real C2O3(start = 0, fixed = true);
  Real CO2(start = 0, fixed = true);
  Real PAN(start = 0, fixed = true);
  Real CH3O(start = 0, fixed = true);
  Real HNO3(start = 0, fixed = true);
  Real O1D(start = 0, fixed = true);
  Real SO2(start = 0.007, fixed = true);
  Real SO4(start = 0, fixed = true);
  Real NO3(start = 0, fixed = true);
  Real N2O5(start = 0, fixed = true);
  Real[25] r "reactions";
equation
  r[1] = k[1]*NO2;
  r[2] = k[2]*NO*O3;
  r[3] = k[3]*HO2*NO;
  r[4] = k[4]*HCHO;
  r[5] = k[5]*HCHO;
  r[6] = k[6]*HCHO*OH;
  r[7] = k[7]*ALD;
  r[8] = k[8]*ALD*OH;
  r[9] = k[9]*C2O3*NO;
  r[10] = k[10]*C2O3*NO2;
  r[11] = k[11]*PAN;
  r[12] = k[12]*MEO2*NO;
  r[13] = k[13]*CH3O;
  r[14] = k[14]*NO2*OH;
  r[15] = k[15]*O3P;
  r[16] = k[16]*O3;
  r[17] = k[17]*O3;
  r[18] = k[18]*O1D;
  r[19] = k[19]*O1D;
  r[20] = k[20]*SO2*OH;
  r[21] = k[21]*NO3;
  r[22] = k[22]*NO3;
  r[23] = k[23]*NO2*O3;
  r[24] = k[24]*NO3*NO2;
  r[25] = k[25]*N2O5;
  der(NO2) = -r[1] - r[10] - r[14] - r[23] - r[24] + r[2] + r[3] + r[9] + r[11] + r[12] +
    r[22] + r[25];
  der(NO) = -r[2] - r[3] - r[9] - r[12] + r[1] + r[21];
  der(O3P) = -r[15] + r[1] + r[17] + r[19] + r[22];
  der(O3) = -r[2] - r[16] - r[17] - r[23] + r[15];
  der(HO2) = -r[3] + 2*r[4] + r[6] + r[7] + r[13] + r[20];
  der(OH) = -r[6] - r[8] - r[14] - r[20] + r[3] + 2*r[18];
  der(HCHO) = -r[4] - r[5] - r[6] + r[13];
  der(CO) = r[4] + r[5] + r[6] + r[7];
  der(ALD) = -r[7] - r[8];
  der(MEO2) = -r[12] + r[7] + r[9];
  der(C2O3) = -r[9] - r[10] + r[8] + r[11];
  der(CO2) = r[9];
  der(PAN) = -r[11] + r[10];
  der(CH3O) = -r[13] + r[12];
  der(HNO3) = r[14];
  der(O1D) = -r[18] - r[19] + r[16];
  der(SO2) = -r[20];
  der(SO4) = r[20];
  der(NO3) = -r[21] - r[22] - r[24] + r[23] + r[25];
  der(N2O5) = -r[25] + r[24];
  annotation(experiment(StopTime = 60));
end Pollution;
