model m
  function hold "a name of our own is not the clocked one"
    input Real u;
    output Real y = u;
  end hold;
  Real a = hold(1);
  Real b = integrate(function f(k = 1), 0, 1); // expect error: a function as an argument is not supported; write a function that calls it directly
  Real c = if inStream(p.h) > 0 then 1 else 2; // expect error: 'inStream' (stream connectors) is not supported; write the mixing equation out
  T t(replaceable Real x = 1); // expect error: 'replaceable' is not supported; use the class you mean directly, or flatten the model first
equation
  Connections.root(p); // expect error: an overdetermined connection (Connections.*) is not supported; flatten the model first
  when Clock(0.1) then // expect error: 'Clock' (clocked equations) is not supported; use when sample(start, interval) then
    a = {spatialDistribution(x[noClock(1)]) for i in 1:3}; // expect error: 'spatialDistribution' is not supported; discretise the pipe, or use 'delay'
    // expect error line 13: 'noClock' (clocked equations) is not supported; use when sample(start, interval) then
  end when;
end m;
model n = m(redeclare Real x = 1); // expect error: 'redeclare' is not supported; use the class you mean directly, or flatten the model first
