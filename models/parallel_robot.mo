// A planar robot: two motors move a plate by two arms and their forearms.  The plate follows a
// prescribed path by PID control of the angles, with limited torques.  Nedialkov and Ramdani,
// "Towards Integrating Hybrid DAEs with a High-Index DAE Solver", INRIA RR-6834 (2009): equations
// (10)-(15) and the data of table 1 as printed (the weight of the arm has no length in it).
//
// Index 3, with branches for dry friction and for the limits of the torques.  Where a torque is at its
// limit, the equations of motion do not contain its control, and fewer of them are differentiated.
// At the start the velocities are 0, and that of the second arm is negative just after it: its friction
// changes its sign at 0+.

function control "torque that PID control asks for"
  input Real e "error of the angle", E "its integral", e1 "its derivative";
  output Real G;
protected
  constant Real Kc = 600, Ti = 300, Td = 0.05;
algorithm
  G := Kc*(e + E/Ti + Td*e1);
end control;

function gap "square of the distance between the plate and the end of an arm, less that of a forearm"
  input Real x, z, q "plate, angle of the arm", xp, L, l;
  output Real d;
algorithm
  d := (x - xp - L*cos(q))^2 + (z + L*sin(q))^2 - l^2;
end gap;

model RobotEquations "12 equations, as in the paper"
  constant Real pi = 3.14159265358979323846;
  parameter Real xp(unit = "m") = 0.1 "the motors are at xp and -xp";
  parameter Real L(unit = "m") = 0.3, l(unit = "m") = 0.7 "lengths of arms and forearms";
  parameter Real m1(unit = "kg") = 0.82, m2(unit = "kg") = 0.14 "masses of arms and forearms";
  parameter Real m3(unit = "kg") = 0.5, ml(unit = "kg") = 5 "masses of plate and load";
  parameter Real Jmot(unit = "kg.m2") = 0.37e-4, Jred(unit = "kg.m2") = 9.09e-4, eta = 5
    "inertias of motor and gears, reduction";
  parameter Real I(unit = "kg.m2") = 0.018895002 "inertia of an arm";
  parameter Real Fs(unit = "N.m") = 3, Fv(unit = "N.m.s/rad") = 0.5 "dry and viscous friction";
  parameter Real alpha(unit = "N.m") = 50 "largest torque";
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0), z(unit = "m", start = -0.6) "plate";
  Real q1(unit = "rad", start = 0.08285633417367944), q2(unit = "rad", start = 0.08285633417367944)
    "angles of the arms";
  Real qd1(unit = "rad", start = 0.08), qd2(unit = "rad", start = 0.08) "angles on the prescribed path";
  Real y1(unit = "N/m"), y2(unit = "N/m") "forces along the forearms over twice their length";
  Real G1(unit = "N.m"), G2(unit = "N.m") "torques of the motors";
  Real E1(unit = "rad.s", start = 0, fixed = true), E2(unit = "rad.s", start = 0, fixed = true)
    "integrals of the errors";
equation
  gap(x, z, q1, xp, L, l) = 0;
  gap(-x, z, q2, xp, L, l) = 0;
  gap(-0.35*sin(2*pi*time), -0.7 + 0.1*cos(2*pi*time), qd1, xp, L, l) = 0;
  gap(0.35*sin(2*pi*time), -0.7 + 0.1*cos(2*pi*time), qd2, xp, L, l) = 0;
  0 = 2*(x - xp - L*cos(q1))*y1 + 2*(x + xp + L*cos(q2))*y2 + (m2 + m3 + ml)*der(der(x));
  0 = 2*(z + L*sin(q1))*y1 + 2*(z + L*sin(q2))*y2 + (m2 + m3 + ml)*(der(der(z)) - g);
  G1 = eta^2*(Jmot + Jred)*der(der(q1)) + (if der(q1) >= 0 then Fs else -Fs) + Fv*der(q1)
    + I*der(der(q1)) - m1*g*cos(q1) + 0.5*m2*L*(L*der(der(q1)) - g*cos(q1))
    + 2*L*((x - xp - L*cos(q1))*sin(q1) + (z + L*sin(q1))*cos(q1))*y1;
  G2 = eta^2*(Jmot + Jred)*der(der(q2)) + (if der(q2) >= 0 then Fs else -Fs) + Fv*der(q2)
    + I*der(der(q2)) - m1*g*cos(q2) + 0.5*m2*L*(L*der(der(q2)) - g*cos(q2))
    + 2*L*(-(x + xp + L*cos(q2))*sin(q2) + (z + L*sin(q2))*cos(q2))*y2;
  G1 = if control(qd1 - q1, E1, der(qd1) - der(q1)) > alpha then alpha
    elseif control(qd1 - q1, E1, der(qd1) - der(q1)) < -alpha then -alpha
    else control(qd1 - q1, E1, der(qd1) - der(q1));
  G2 = if control(qd2 - q2, E2, der(qd2) - der(q2)) > alpha then alpha
    elseif control(qd2 - q2, E2, der(qd2) - der(q2)) < -alpha then -alpha
    else control(qd2 - q2, E2, der(qd2) - der(q2));
  der(E1) = qd1 - q1;
  der(E2) = qd2 - q2;
initial equation
  der(q1) = 0;
  der(q2) = 0;
  annotation(experiment(StopTime = 5));
end RobotEquations;

model ParallelRobot "two-armed robot with limited torques and dry friction: hybrid, index 3"
  extends RobotEquations;
  Real xd(unit = "m") = -0.35*sin(2*pi*time), zd(unit = "m") = -0.7 + 0.1*cos(2*pi*time)
    "the prescribed path";
  Real vx(unit = "m/s") = der(x), vz(unit = "m/s") = der(z), w1(unit = "rad/s") = der(q1),
    w2(unit = "rad/s") = der(q2), wd1(unit = "rad/s") = der(qd1), wd2(unit = "rad/s") = der(qd2)
    "velocities";
  Real G01(unit = "N.m") = control(qd1 - q1, E1, wd1 - w1),
    G02(unit = "N.m") = control(qd2 - q2, E2, wd2 - w2) "torques that the control asks for";
  annotation(experiment(StopTime = 5));
end ParallelRobot;
