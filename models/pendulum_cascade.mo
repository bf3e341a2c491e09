// P pendula in Cartesian coordinates; the force in each rod lengthens the rod of the next, so
// that the first equations have to be differentiated 2P times: index 2P + 1.  A problem of the
// DAETS and DAESA programs (Nedialkov and Pryce).  The angles at the start are 1/i.
//
//   brink run pendulum_cascade --set P=5 --stop 10 --method taylor
model PendulumCascade "cascade of P pendula: index 2P + 1"
  parameter Integer P = 3 "number of pendula";
  parameter Real G(unit = "m/s2") = 9.8 "gravity";
  parameter Real L(unit = "m") = 10 "length of a rod without force";
  parameter Real c(unit = "m.s2") = 0.1 "how much lambda of the pendulum before lengthens a rod";
  Real x[P](each unit = "m", start = {L*sin(1/i) for i in 1:P}) "positions, to the right";
  Real y[P](each unit = "m", start = {L*cos(1/i) for i in 1:P}) "positions, down";
  Real lambda[P](each unit = "1/s2", each start = 1) "forces of the rods, per mass and length";
initial equation
  for i in 1:P loop
    x[i]*cos(1/i) = y[i]*sin(1/i);
    der(x[i])*y[i] = der(y[i])*x[i];
  end for;
equation
  for i in 1:P loop
    der(der(x[i])) = -lambda[i]*x[i];
    der(der(y[i])) = -lambda[i]*y[i] + G;
    x[i]^2 + y[i]^2 = (if i == 1 then L else L + c*lambda[max(i - 1, 1)])^2;
  end for;
  annotation(experiment(StopTime = 100));
end PendulumCascade;
