// expect: ok
model IfResidual
  Real x(start = 0, fixed = true), i, u;
equation
  der(x) = 1;
  u = 2 - x;
  if x < 1 then
    i = 0.25;
  else
    u = 3*i;
  end if;
end IfResidual;
// expect flat: eqn 0.0 = if {x < 1} then i - 0.25 else u - 3*i
// expect i(0.5) = 0.25 +- 1e-12
// expect i(1.4) = 0.2 +- 1e-12
