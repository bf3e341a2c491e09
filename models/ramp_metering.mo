// The ramp metering problem of Donolo (2002), equations (2.6), (2.7) and (4.10): traffic
// enters a stretch of freeway of length L from a ramp, and a controller holds back the
// ramp's flow u so that density x1 (from its best value) and queue x2 go to zero.  An
// empty queue lets in no more than arrives.  The inputs are chosen here.
model RampMetering "a freeway ramp with a controlled traffic light"
  parameter Real L = 4 "length of the stretch";
  parameter Real rhoMax = 2 "greatest density";
  parameter Real vf = 1 "free speed";
  parameter Real k = 1 "gain of the controller";
  parameter Real w1 = 2 "weight of the density";
  parameter Real w2 = 1 "weight of the queue";
  parameter Real qRamp = 0.1 "flow that arrives at the ramp";
  Real qIn = if time < 5 then 0.6 elseif time < 10 then 0.3 else 0.6 "flow from upstream";
  Real x1(start = -0.5, fixed = true) "density less rhoMax/2";
  Real x2(start = 1, fixed = true) "length of the queue";
  Real rho = x1 + rhoMax/2 "density";
  Real qOut = vf*rho*(1 - rho/rhoMax) "flow downstream";
  Real uWanted "what the controller asks for";
  Real u "flow from the ramp";
  Boolean empty(start = false, fixed = true) "no queue";
equation
  L*der(x1) = qIn - qOut + u;
  der(x2) = qRamp - u;
  uWanted = max(0, if x1 >= 0 then
      (-k*(w1*x1 + w2*x2) - w1/L*(qIn - qOut) - w2*qRamp)/(w1/L - w2)
    else
      (k*(-w1*x1 + w2*x2) - w1/L*(qIn - qOut) + w2*qRamp)/(w1/L + w2));
  u = if empty then qRamp else uWanted;
  when x2 <= 0 then
    empty = true;
    reinit(x2, 0);
  elsewhen uWanted < qRamp then
    empty = false;
  end when;
  annotation(experiment(StopTime = 20));
end RampMetering;
