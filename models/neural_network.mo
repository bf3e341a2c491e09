// The discontinuous neural network of Del Buono and Lopez, example 2 (after Li and Wu
// 2009): x' = -A x + B g(x) + I(t).  The activation g jumps at zero, and its right
// branch does not exist to the left of it.
model NeuralNetwork "three neurons with a discontinuous activation"
  Real x1(start = 1, fixed = true) "neuron";
  Real x2(start = -1, fixed = true) "neuron";
  Real x3(start = 1, fixed = true) "neuron";
  Real g1 = if x1 > 0 then sqrt(x1) + 1 else 0.5*cos(x1) - 0.25 "activation";
  Real g2 = if x2 > 0 then sqrt(x2) + 1 else 0.5*cos(x2) - 0.25;
  Real g3 = if x3 > 0 then sqrt(x3) + 1 else 0.5*cos(x3) - 0.25;
equation
  der(x1) = -2*x1 - 0.25*g1 - 0.1*g2 + 0.15*g3 + sin(time);
  der(x2) = -2.4*x2 + 0.1*g1 - 0.25*g2 - cos(time);
  der(x3) = -2.8*x3 + 0.2*g2 - 0.25*g3 + sin(time);
  annotation(experiment(StopTime = 2));
end NeuralNetwork;
