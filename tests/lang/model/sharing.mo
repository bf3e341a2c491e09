// expect: ok
model Sharing
  Real x(start = 0, fixed = true), y;
  discrete Real d;
  parameter Real p = 0.5;
equation
  der(x) = if x > p then 1 else 2;
  y = if p < x then 3 else if p > 0 then 4 else 5;
  when x > p then
    d = if p == 0.5 then x else 1;
  end when;
end Sharing;
// expect flat: counts vars 4 eqns 2 initial 0 relations 1 whens 1
// expect flat: eqn y = if {x > p} then 3 elseif p > 0 then 4 else 5
// expect flat: when {x > p}: d = if p == 0.5 then x else 1;
