// expect: ok
// The transistor amplifier of the IVP test set with the derivatives of both potentials at each
// capacitor, as it is printed there: three pairs of equations determine one derivative each.
model Amplifier
  parameter Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000;
  parameter Real C[5] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
  Real U[8](start = {0, Ub/2, Ub/2, Ub, Ub/2, Ub/2, Ub, 0});
  Real Ue = 0.1*sin(200*Modelica.Constants.pi*time);
  Real g23 = beta*(exp((U[2] - U[3])/UF) - 1), g56 = beta*(exp((U[5] - U[6])/UF) - 1);
equation
  -C[1]*der(U[1]) + C[1]*der(U[2]) = -Ue/R0 + U[1]/R0;
  C[1]*der(U[1]) - C[1]*der(U[2]) = -Ub/R + U[2]*(1/R + 1/R) - (alpha - 1)*g23;
  -C[2]*der(U[3]) = -g23 + U[3]/R;
  -C[3]*der(U[4]) + C[3]*der(U[5]) = -Ub/R + U[4]/R + alpha*g23;
  C[3]*der(U[4]) - C[3]*der(U[5]) = -Ub/R + U[5]*(1/R + 1/R) - (alpha - 1)*g56;
  -C[4]*der(U[6]) = -g56 + U[6]/R;
  -C[5]*der(U[7]) + C[5]*der(U[8]) = -Ub/R + U[7]/R + alpha*g56;
  C[5]*der(U[7]) - C[5]*der(U[8]) = U[8]/R;
end Amplifier;
// expect U[1](0.2) = -0.5562145012262709e-2 +- 1e-8
// expect U[2](0.2) = 0.3006522471903042e1 +- 1e-8
// expect U[3](0.2) = 0.2849958788608128e1 +- 1e-8
// expect U[4](0.2) = 0.2926422536206241e1 +- 1e-8
// expect U[5](0.2) = 0.2704617865010554e1 +- 1e-8
// expect U[6](0.2) = 0.2761837778393145e1 +- 1e-8
// expect U[7](0.2) = 0.4770927631616772e1 +- 1e-8
// expect U[8](0.2) = 0.1236995868091548e1 +- 1e-8
