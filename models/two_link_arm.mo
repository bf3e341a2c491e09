// The arm of Esposito and Kumar (2007), example 2: two links whose hand follows a point
// that moves on a straight line.  The point leaves the ring that the hand can reach, and
// beyond its edges there are no joint angles: f does not exist there.  The guard is a
// condition on the point, not on the hand (with the forward kinematics it could never be
// violated), and the elbow angle is taken in [0, pi].  The line is chosen here.
//
//   brink run two_link_arm                       resolved rate: J(theta) theta' = v
//   brink run two_link_arm --model TrackingArm   tracking: theta' = K (ik(p) - theta)
//   --set x0=1.2 --set y0=0.1 --set vx=-0.5 --set vy=0   leaves by the inner edge
package Arm
  function ik "inverse kinematics: joint angles for a position of the hand"
    input Real p[2];
    input Real l1, l2;
    output Real theta[2];
  algorithm
    theta[2] := acos((p*p - l1^2 - l2^2)/(2*l1*l2));
    theta[1] := atan2(p[2], p[1]) - atan2(l2*sin(theta[2]), l1 + l2*cos(theta[2]));
  end ik;

  partial model Line "a point on a line, and where it leaves the arm's reach"
    parameter Real l1(unit = "m") = 1 "upper arm";
    parameter Real l2(unit = "m") = 0.5 "forearm";
    parameter Real x0(unit = "m") = 0.6, y0(unit = "m") = 0.5 "start of the point";
    parameter Real vx(unit = "m/s") = 0.4, vy(unit = "m/s") = 0.2 "its velocity";
    parameter Real v[2](each unit = "m/s") = {vx, vy};
    Real p[2](each unit = "m", start = {x0, y0}, each fixed = true) "the point";
  equation
    der(p) = v;
    when p*p >= (l1 + l2)^2 then
      terminate("the point is out of reach: the arm is stretched");
    end when annotation(__brink(side = "before"));
    when p*p <= (l1 - l2)^2 then
      terminate("the point is out of reach: the arm is folded");
    end when annotation(__brink(side = "before"));
  end Line;
end Arm;

model TrackingArm "two-link arm, drawn towards the angles of a point that leaves its reach"
  extends Arm.Line;
  parameter Real K(unit = "1/s") = 5 "gain of the joints";
  parameter Real error[2](each unit = "rad") = {0.2, -0.3} "of the first angles";
  Real theta[2](each unit = "rad", start = Arm.ik({x0, y0}, l1, l2) + error,
    each fixed = true) "joint angles";
equation
  der(theta) = K*(Arm.ik(p, l1, l2) - theta);
  annotation(experiment(StopTime = 10));
end TrackingArm;

model TwoLinkArm "two-link arm whose hand follows a point that leaves its reach"
  extends Arm.Line;
  Real theta[2](each unit = "rad", start = Arm.ik({x0, y0}, l1, l2), each fixed = true)
    "joint angles";
  Real s12 = sin(theta[1] + theta[2]), c12 = cos(theta[1] + theta[2]);
  Real J[2, 2] = [-l1*sin(theta[1]) - l2*s12, -l2*s12;
                   l1*cos(theta[1]) + l2*c12,  l2*c12] "Jacobian of the hand";
equation
  J*der(theta) = v;
  annotation(experiment(StopTime = 10));
end TwoLinkArm;
