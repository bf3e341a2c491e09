// expect: ok
model IntervalMeasure "Tiller: speed from the time between teeth"
  parameter Integer teeth=200;
  parameter Real tooth_angle(unit="rad")=2*3.14159/teeth;
  Real phi(start=0, fixed=true);
  Real next_phi(start=tooth_angle), prev_phi(start=-tooth_angle);
  Real last_time(start=0);
  Real omega_measured(start=0);
equation
  der(phi) = 1 + time;
  when {phi>=pre(next_phi),phi<=pre(prev_phi)} then
    omega_measured = tooth_angle/(time-pre(last_time));
    next_phi = phi+tooth_angle;
    prev_phi = phi-tooth_angle;
    last_time = time;
  end when;
end IntervalMeasure;
// expect flat: parameter tooth_angle = 6.28318/teeth unit "rad"
// expect flat: var next_phi: Real discrete start = tooth_angle
// expect flat: relation phi >= pre(next_phi)
// expect flat: counts vars 7 eqns 1 initial 0 relations 2 whens 1
