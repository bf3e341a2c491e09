// each construct is refused once; what follows from it is not said again
model Clocked
  Clock tick = Clock(0.1); // expect error at 3:3: 'Clock' (clocked equations) is not supported; use when sample(start, interval) then
  Real u = time, x(start = 0.25), y, z;
equation
  when Clock(0.3) then // expect error at 6:8: 'Clock' (clocked equations) is not supported; use when sample(start, interval) then
    x = previous(x) + 1; // expect error at 7:9: 'previous' (clocked equations) is not supported; use 'pre' in a when sample(...)
  end when;
  y = sample(u); // expect error at 9:7: 'sample' of a value (clocked equations) is not supported; use when sample(start, interval) then
  z = hold(y); // expect error at 10:7: 'hold' (clocked equations) is not supported; use a discrete variable set in a when
end Clocked;
