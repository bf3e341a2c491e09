// expect: ok
model IfEquations
  parameter Boolean wet = true;
  parameter Integer n = 2;
  Real x(start = 1, fixed = true), y, z, u, v;
  Boolean b;
equation
  if x > 0.5 then
    der(x) = -1;
    y = 2;
  elseif x > 0.25 then
    y = 3;
    der(x) = -2;
  else
    der(x) = 0;
    y = 4;
  end if;
  if wet then
    z = x;
    u = 1;
  else
    z = 2*x;
    u + v = 2;
    v = 7;
  end if;
  if wet and n > 1 then
    v = 3;
  end if;
  if b then
    assert(x < 2, "x is " + String(x) + " of 100%");
  end if;
  b = x > 0.3;
end IfEquations;
// expect flat: eqn der(x) = if {x > 0.5} then -1.0 elseif {x > 0.25} then -2.0 else 0.0
// expect flat: eqn y = if {x > 0.5} then 2.0 elseif {x > 0.25} then 3.0 else 4.0
// expect flat: eqn z = x
// expect flat: eqn v = 3.0
// expect flat: always assert(not b or {x < 2}) "x is %0{.6g} of 100%%" x;
// expect flat: counts vars 8 eqns 6 initial 0 relations 4 whens 0
// expect x(0.5) = 0.5 +- 1e-9
// expect x(0.7) = 0.25 +- 1e-8
// expect y(0.7) = 4 +- 0
