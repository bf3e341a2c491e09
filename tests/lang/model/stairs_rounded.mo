// expect: ok
model StairsRounded "stairs and relations with time that change together, at a number beside the zero"
  Real y = sign(mod(1.3 - time, 1)), z = if mod(1.3 - time, 1) > 0 then 1 else 2;
  Real f = floor(1.4 + abs(1.6 - time));
  annotation(experiment(StopTime = 4));
end StairsRounded;
// expect y(2.25) = 1
// expect y(2.35) = 1
// expect z(3.95) = 1
// expect f(1.5) = 1
// expect f(1.7) = 1
// expect f(2.25) = 2
// expect f(3.95) = 3
