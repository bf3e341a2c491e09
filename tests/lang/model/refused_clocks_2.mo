model Clocks
  Real u = time, a, b, c, d, e, f, g;
equation
  a = subSample(u, 2); // expect error at 4:7: 'subSample' (clocked equations) is not supported; use when sample(start, interval) then
  b = superSample(u, 2); // expect error at 5:7: 'superSample' (clocked equations) is not supported; use when sample(start, interval) then
  c = shiftSample(u, 1, 2); // expect error at 6:7: 'shiftSample' (clocked equations) is not supported; use when sample(start, interval) then
  d = backSample(u, 1); // expect error at 7:7: 'backSample' (clocked equations) is not supported; use when sample(start, interval) then
  e = noClock(u); // expect error at 8:7: 'noClock' (clocked equations) is not supported; use when sample(start, interval) then
  f = interval(u); // expect error at 9:7: 'interval' (clocked equations) is not supported; use the sample interval as a parameter
  g = if firstTick(u) then 1 else 0; // expect error at 10:10: 'firstTick' (clocked equations) is not supported; use 'initial()'
end Clocks;
