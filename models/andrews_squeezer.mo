// Andrews' squeezing mechanism: seven rigid bodies in a plane, joined without friction, driven
// by a motor and held by a spring.  Three closed loops of joints give six constraints, index 3.
// A problem of the IVP test set (Mazzia and Magherini; Hairer and Wanner II, VII.7).
model AndrewsSqueezer "seven bodies, three loops, a motor and a spring: index 3"
  parameter Real m[7](each unit = "kg") =
    {0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498} "masses";
  parameter Real I[7](each unit = "kg.m2") =
    {2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5} "inertias";
  parameter Real A[2](each unit = "m") = {-0.06934, -0.00227} "joint of bodies 5 and 7";
  parameter Real B[2](each unit = "m") = {-0.03635, 0.03273} "joint of body 3";
  parameter Real C[2](each unit = "m") = {0.014, 0.072} "end of the spring";
  parameter Real d(unit = "m") = 0.028, da(unit = "m") = 0.0115 "body 2: length, centre of mass";
  parameter Real e(unit = "m") = 0.02, ea(unit = "m") = 0.01421 "body 4: length, centre of mass";
  parameter Real f(unit = "m") = 0.02, fa(unit = "m") = 0.01421 "body 6: length, centre of mass";
  parameter Real r(unit = "m") = 0.007, ra(unit = "m") = 0.00092 "body 1: length, centre of mass";
  parameter Real s(unit = "m") = 0.035, sa(unit = "m") = 0.01874, sb(unit = "m") = 0.01043
    "body 3: length, centre of mass";
  parameter Real sc(unit = "m") = 0.018, sd(unit = "m") = 0.02 "body 3: where the spring pulls";
  parameter Real t(unit = "m") = 0.04, ta(unit = "m") = 0.02308, tb(unit = "m") = 0.00916
    "body 5: length, centre of mass";
  parameter Real u(unit = "m") = 0.04, ua(unit = "m") = 0.01228, ub(unit = "m") = 0.00449
    "body 7: length, centre of mass";
  parameter Real c0(unit = "N/m") = 4530, l0(unit = "m") = 0.07785 "spring: stiffness, length";
  parameter Real mom(unit = "N.m") = 0.033 "torque of the motor";
  Real beta(unit = "rad", start = -0.0617138900142764) "angle of the motor, body 1";
  Real theta(unit = "rad", start = 0, fixed = true) "angle of body 2";
  Real gamma(unit = "rad", start = 0.45527981916307) "angle of body 3";
  Real phi(unit = "rad", start = 0.222668390165886) "angle of body 4";
  Real delta(unit = "rad", start = 0.487364979543843) "angle of body 5";
  Real omega(unit = "rad", start = -0.222668390165886) "angle of body 6";
  Real epsilon(unit = "rad", start = 1.23054744454982) "angle of body 7";
  Real lambda[6](each unit = "N", start = {98.6, -6.12, 0, 0, 0, 0}) "forces in the joints";
protected
  parameter Real I12 = m[2]*da^2 + I[2], I3 = m[3]*(sa^2 + sb^2) + I[3];
  parameter Real I44 = m[4]*(e - ea)^2 + I[4], I66 = m[6]*(f - fa)^2 + I[6];
  parameter Real I5 = m[4]*t^2 + m[5]*(ta^2 + tb^2) + I[5];
  parameter Real I7 = m[6]*u^2 + m[7]*(ua^2 + ub^2) + I[7];
  parameter Real k2 = m[2]*da*r, k4 = m[4]*t*(e - ea), k6 = m[6]*u*(f - fa);
  Real D[2](each unit = "m") "where the spring pulls at body 3";
  Real l(unit = "m") = sqrt((D - C)*(D - C)) "length of the spring";
  Real F[2](each unit = "N") = -c0*(l - l0)/l*(D - C) "force of the spring";
  Real P[2](each unit = "m") "joint of bodies 2, 3, 4 and 6";
  Real Lx(unit = "N") = lambda[1] + lambda[3] + lambda[5] "forces on the joint together";
  Real Ly(unit = "N") = lambda[2] + lambda[4] + lambda[6] "forces on the joint together";
equation
  P = {r*cos(beta) - d*cos(beta + theta), r*sin(beta) - d*sin(beta + theta)};
  D = {sd*cos(gamma) + sc*sin(gamma) + B[1], sd*sin(gamma) - sc*cos(gamma) + B[2]};
  (m[1]*ra^2 + m[2]*r^2 + I[1] + I12 - 2*k2*cos(theta))*der(der(beta))
    + (I12 - k2*cos(theta))*der(der(theta))
    = mom - k2*der(theta)*(der(theta) + 2*der(beta))*sin(theta)
      + (r*sin(beta) - d*sin(beta + theta))*Lx - (r*cos(beta) - d*cos(beta + theta))*Ly;
  (I12 - k2*cos(theta))*der(der(beta)) + I12*der(der(theta))
    = k2*der(beta)^2*sin(theta) - d*sin(beta + theta)*Lx + d*cos(beta + theta)*Ly;
  I3*der(der(gamma)) = F[1]*(sc*cos(gamma) - sd*sin(gamma))
    + F[2]*(sd*cos(gamma) + sc*sin(gamma)) + s*cos(gamma)*lambda[1] + s*sin(gamma)*lambda[2];
  I44*der(der(phi)) + (I44 + k4*sin(phi))*der(der(delta)) = k4*der(delta)^2*cos(phi)
    + e*cos(phi + delta)*lambda[3] + e*sin(phi + delta)*lambda[4];
  (I44 + k4*sin(phi))*der(der(phi)) + (I44 + I5 + 2*k4*sin(phi))*der(der(delta))
    = -k4*der(phi)*(der(phi) + 2*der(delta))*cos(phi)
      + (e*cos(phi + delta) - t*sin(delta))*lambda[3]
      + (e*sin(phi + delta) + t*cos(delta))*lambda[4];
  I66*der(der(omega)) + (I66 - k6*sin(omega))*der(der(epsilon)) = -k6*der(epsilon)^2*cos(omega)
    - f*sin(omega + epsilon)*lambda[5] + f*cos(omega + epsilon)*lambda[6];
  (I66 - k6*sin(omega))*der(der(omega)) + (I66 + I7 - 2*k6*sin(omega))*der(der(epsilon))
    = k6*der(omega)*(der(omega) + 2*der(epsilon))*cos(omega)
      - (f*sin(omega + epsilon) - u*cos(epsilon))*lambda[5]
      + (f*cos(omega + epsilon) + u*sin(epsilon))*lambda[6];
  P = B + {s*sin(gamma), -s*cos(gamma)};
  P = A + {e*sin(phi + delta) + t*cos(delta), t*sin(delta) - e*cos(phi + delta)};
  P = A + {f*cos(omega + epsilon) + u*sin(epsilon), f*sin(omega + epsilon) - u*cos(epsilon)};
  annotation(experiment(StopTime = 0.03));
end AndrewsSqueezer;
