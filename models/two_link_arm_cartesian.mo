// The arm of two_link_arm.mo with masses, in Cartesian coordinates: an elbow and a hand, two rods
// of given length and a hand that is led along a line.  The forces that this needs, in the rods
// and at the hand, follow from the second derivatives of the four constraints: index 3.  At the
// edges of its reach the arm cannot follow any longer, and the forces grow without bound.
//
//   brink run two_link_arm_cartesian
//   --set x0=1.2 --set y0=0.1 --set vx=-0.5 --set vy=0   leaves by the inner edge
model TwoLinkArmCartesian "two-link arm whose hand is led along a line: index 3"
  parameter Real l1(unit = "m") = 1 "upper arm";
  parameter Real l2(unit = "m") = 0.5 "forearm";
  parameter Real m1(unit = "kg") = 2, m2(unit = "kg") = 1.5 "masses of elbow and hand";
  parameter Real x0(unit = "m") = 0.6, y0(unit = "m") = 0.5 "start of the hand";
  parameter Real vx(unit = "m/s") = 0.4, vy(unit = "m/s") = 0.2 "its velocity";
  Real elbow[2](each unit = "m", start = {1, 0}) "position of the elbow, below the line to the hand";
  Real hand[2](each unit = "m", start = {x0, y0}) "position of the hand";
  Real lambda1(unit = "N/m") "force in the upper arm, per length";
  Real lambda2(unit = "N/m") "force in the forearm, per length";
  Real F[2](each unit = "N") "force that leads the hand";
equation
  m1*der(der(elbow)) = -lambda1*elbow + lambda2*(hand - elbow);
  m2*der(der(hand)) = -lambda2*(hand - elbow) + F;
  elbow*elbow = l1^2;
  (hand - elbow)*(hand - elbow) = l2^2;
  hand = {x0 + vx*time, y0 + vy*time};
  when hand*hand >= (l1 + l2)^2 then
    terminate("the hand is at the edge of its reach: the arm is stretched");
  end when annotation(__brink(side = "before"));
  when hand*hand <= (l1 - l2)^2 then
    terminate("the hand is at the edge of its reach: the arm is folded");
  end when annotation(__brink(side = "before"));
  annotation(experiment(StopTime = 10));
end TwoLinkArmCartesian;
