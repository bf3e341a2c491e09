// expect: ok
model Tank "Fritzson: a tank with a limited controller"
  parameter Real area(unit = "m2") = 0.5, flowGain(unit = "m2/s") = 0.05;
  parameter Real minV = 0, maxV = 10;
  Real h(start = 0.0, fixed = true, unit = "m");
  Real qOut(unit = "m3/s"), qIn(unit = "m3/s"), control;
equation
  assert(minV >= 0, "minV - minimum Valve level must be >= 0 ");
  der(h) = (qIn - qOut)/area;
  qOut = if -flowGain*control > maxV then maxV else if -flowGain*control < minV then minV
    else -flowGain*control;
end Tank;
model TwoTanks
  Tank tank1(area = 1, h(start = 0.2)), tank2(area = 1.3);
equation
  tank1.qIn = 0.02;
  tank2.qIn = tank1.qOut;
  tank1.control = 0.25 - tank1.h;
  tank2.control = 0.4 - tank2.h;
end TwoTanks;
// expect flat: parameter tank1.area = 1.0 unit "m2"
// expect flat: parameter tank2.flowGain = 0.05 unit "m2/s"
// expect flat: var tank1.h: Real continuous start = 0.2 fixed unit "m"
// expect flat: eqn tank2.qIn = tank1.qOut
// expect flat: counts vars 16 eqns 8 initial 0 relations 4 whens 0
// expect flat: always assert(tank1.minV >= 0) "minV - minimum Valve level must be >= 0 ";
// expect tank1.h(4) = 0.27890260546856566 +- 1e-9
// expect flat: eqn tank1.qOut = if {-tank1.flowGain*tank1.control > tank1.maxV} then tank1.maxV elseif {-tank1.flowGain*tank1.control < tank1.minV} then tank1.minV else -tank1.flowGain*tank1.control
