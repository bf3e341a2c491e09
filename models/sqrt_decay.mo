// x' = -sqrt(x): x = (1 - t/2)^2 is at rest at t = 2, exactly where the square root ends.
// A step that looks one digit too far finds no equation there.
model SqrtDecay "decay by a square root that does not exist below zero"
  Real x(start = 1, fixed = true, min = 0) "what is left" annotation(__brink(domain = true));
equation
  der(x) = -sqrt(x);
  annotation(experiment(StopTime = 3));
end SqrtDecay;
