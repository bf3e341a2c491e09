// expect: ok
// Tiller: an event that is sensed but acts on nothing but a branch
model Decay
  Real x;
initial equation
  x = 1;
equation
  der(x) = if noEvent(x>=0.0) then -sqrt(x) else 0;
end Decay;
// expect flat: eqn der(x) = if x >= 0.0 then -sqrt(x) else 0
// expect flat: counts vars 1 eqns 1 initial 1 relations 0 whens 0
// expect x(0.6) = 0.49 +- 1e-8
