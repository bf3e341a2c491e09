// Two inertias and a clutch.  While it is open it transmits a torque in proportion to the difference of the speeds
// (index 1); while it is locked the speeds are equal (index 2), and the torque is what keeps them so.  Where it
// locks, the speeds jump to the common one that keeps the angular momentum.
model Clutch "two inertias that lock and unlock: one DAE whose index changes"
  parameter Real J1(unit = "kg.m2") = 1, J2(unit = "kg.m2") = 3 "inertias";
  parameter Real k(unit = "N.m.s/rad") = 0.7 "torque of the open clutch over difference of speeds";
  parameter Real M(unit = "N.m") = 0.1 "torque on the first one";
  parameter Real t_lock(unit = "s") = 0.73, t_open(unit = "s") = 1.9;
  Real w1(unit = "rad/s", start = 2.3, fixed = true), w2(unit = "rad/s", start = -0.4, fixed = true)
    "speeds";
  Real tau(unit = "N.m") "torque of the clutch";
  Boolean locked(start = false, fixed = true);
equation
  J1*der(w1) = M - tau;
  J2*der(w2) = tau;
  if locked then
    w1 = w2;
  else
    tau = k*(w1 - w2);
  end if;
  when time > t_lock then
    locked = true;
  elsewhen time > t_open then
    locked = false;
  end when;
  annotation(experiment(StopTime = 3));
end Clutch;
