// expect: ok
model FoldOfLoop
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) = -1 - 0.001*z;
  z^2 + 0.1*exp(z) = x;
end FoldOfLoop;
// stop 5
// expect end BRINK_FOLD at 0.901871291
// expect says: z^2 + 0.1*exp(z) = x (line 6) has a fold at t = 0.9018...: the solution z = -0.04767... turns back there, and none continues it
