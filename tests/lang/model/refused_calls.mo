model Calls
  Real pipe = spatialDistribution(time, 0, time, true); // expect error at 2:15: 'spatialDistribution' is not supported; discretise the pipe, or use 'delay'
  parameter String name = getInstanceName(); // expect error at 3:27: 'getInstanceName' is not supported; write the name as a string
  String text; // nobody reads it
  Real x(start = 0, fixed = true);
  Boolean a = x == 1, b = x <> time; // expect error at 6:15: '==' of continuous Reals is never reached exactly; use < <= > or >=
  Real y(min = 0);
equation
  der(x) = 1;
  text = "a";
  y = x;
end Calls;
// expect error at 6:27: '<>' of continuous Reals is never reached exactly; use < <= > or >=
