// A crank that turns evenly moves a block through a connecting rod that bends and stretches: two
// modes of bending and two nodes of stretching, whose fast vibrations have very small amplitudes.
// Index 3 (the motion of the crank is a constraint, too).  A problem of the IVP test set
// (Mazzia and Magherini), there with the constraints differentiated once; Simeon, Mathematical
// Modelling of Systems 2 (1996).  Start values and pi are those of the test set.
model SliderCrank "slider crank with an elastic connecting rod: index 3"
  constant Real pi = 3.1415927 "as the test set has it";
  parameter Real l1(unit = "m") = 0.15, l2(unit = "m") = 0.3 "lengths of crank and rod";
  parameter Real m2(unit = "kg") = 0.151104, m3(unit = "kg") = 0.075552 "masses of rod and block";
  parameter Real J1(unit = "kg.m2") = 0.002727, J2(unit = "kg.m2") = 0.0045339259
    "inertias of crank and rod";
  parameter Real a(unit = "m") = 0.008 "width and height of the rod";
  parameter Real rho(unit = "kg/m3") = 7870, E(unit = "Pa") = 2e11 "density, Young's modulus";
  parameter Real Omega(unit = "rad/s") = 150 "angular velocity of the crank";
  Real phi1(unit = "rad", start = 0) "angle of the crank";
  Real phi2(unit = "rad", start = 0) "angle of the rod";
  Real x3(unit = "m", start = 0.45) "position of the block";
  Real q[4](each unit = "m", start = {0, 0, 0.103339863e-4, 0.169327969e-4}, each fixed = true,
    each nominal = 1e-4) "two modes of bending, stretching in the middle and at the end";
  Real v[4](each unit = "m/s", start = {0.444896105, 0.463434311e-2, -0.178591076e-5,
    -0.268938672e-5}, each fixed = true, each nominal = 0.1) = der(q) "velocities of q";
  Real lambda[3](start = {0, 382, 0}) "forces: rod on its line, block, motor";
protected
  parameter Real m(unit = "kg") = rho*a^2*l2, V(unit = "m3") = a^2*l2 "mass and volume of the rod";
  parameter Real k(unit = "N/m") = E*a^2/l2, k1 = pi^4/24*(a/l2)^2 "stiffness, its part in bending";
  parameter Real M[4, 4] = m*[1/2, 0, 0, 0; 0, 1/2, 0, 0; 0, 0, 8, 1; 0, 0, 1, 2];
  parameter Real K[4, 4] = k*[k1, 0, 0, 0; 0, 16*k1, 0, 0; 0, 0, 16/3, -8/3; 0, 0, -8/3, 7/3];
  parameter Real b = 8/pi^3 - 1/pi;
  parameter Real B[4, 4] = V*[0, 0, -16/pi^3, b; 0, 0, 0, 1/(2*pi); 16/pi^3, 0, 0, 0;
    -b, -1/(2*pi), 0, 0];
  parameter Real c1[4] = V*{0, 0, 2/3, 1/6}, c2[4] = V*{2/pi, 0, 0, 0};
  parameter Real c12[4] = l2*V*{0, 0, 1/3, 1/6}, c21[4] = l2*V*{1/pi, -1/(2*pi), 0, 0};
  Real s = sin(phi1 - phi2), c = cos(phi1 - phi2), w1 = der(phi1), w2 = der(phi2);
  Real m12 = l1*l2*m2/2*c + rho*l1*(s*(c2*q) + c*(c1*q)) "inertias that couple the motions";
  Real m1q[4] = rho*l1*(c*c2 - s*c1), m2q[4] = rho*(c21 + q*B);
equation
  (J1 + m2*l1^2)*der(w1) + m12*der(w2) + m1q*der(v) = -l1*l2*m2/2*w2^2*s
    + rho*l1*w2^2*(c*(c2*q) - s*(c1*q)) - 2*rho*l1*w2*(c*(c1*v) + s*(c2*v))
    - l1*cos(phi1)*lambda[1] - l1*sin(phi1)*lambda[2] - lambda[3];
  m12*der(w1) + (J2 + q*M*q + 2*rho*(c12*q))*der(w2) + m2q*der(v) = l1*l2*m2/2*w1^2*s
    + rho*l1*w1^2*(s*(c1*q) - c*(c2*q)) - 2*rho*w2*(c12*v) - 2*w2*(v*M*q) - rho*(v*B*v)
    - (l2 + q[4])*(cos(phi2)*lambda[1] + sin(phi2)*lambda[2]);
  m3*der(der(x3)) = -lambda[2];
  m1q*der(w1) + m2q*der(w2) + M*der(v) = w2^2*(M*q) + rho*(w2^2*c12 + 2*w2*(B*v)
    + l1*w1^2*(c*c1 + s*c2)) - K*q
    - {0, 0, 0, sin(phi2)*lambda[1] - cos(phi2)*lambda[2]};
  l1*sin(phi1) + (l2 + q[4])*sin(phi2) = 0;
  x3 = l1*cos(phi1) + (l2 + q[4])*cos(phi2);
  phi1 = Omega*time;
  annotation(experiment(StopTime = 0.1));
end SliderCrank;
