// expect: ok
model Algorithms
  parameter Integer n = 3;
  Real x(start = 0.5, fixed = true), y, s, limited;
  Real p[n];
  Integer count(start = 0, fixed = true), state(start = 1, fixed = true);
  Boolean high(start = false);
  discrete Real last(start = 0, fixed = true);
algorithm
  s := 0;
  for i in 1:n loop
    p[i] := x^i;
    s := s + p[i];
  end for;
  y := s;
  if x > 2 then
    limited := 2;
  else
    limited := x;
  end if;
algorithm
  when sample(0.25, 0.5) then
    count := pre(count) + 1;
    last := x;
    if count > 3 then
      reinit(x, 0);
    end if;
  elsewhen x > 100 then
    count := 0;
  end when;
algorithm
  when x > 1 then
    state := 2;
  end when;
  when x > 1.5 then
    state := 3;
  end when;
algorithm
  high := pre(high);
  if x > 1.2 then
    high := true;
  elseif x < 0.8 then
    high := false;
  end if;
equation
  der(x) = 1;
end Algorithms;
// expect flat: eqn y = x + x^2 + x^3
// expect flat: eqn limited = if {x > 2} then 2.0 else x
// expect flat: when sample(0.25, 0.5): if pre(count) + 1 > 3 then reinit(x, 0.0); count = pre(count) + 1; last = x;
// expect flat: elsewhen {x > 100}: count = 0;
// expect flat: eqn high = if {x > 1.2} then true elseif {x < 0.8} then false else pre(high)
// expect y(0.5) = 3 +- 1e-9
// expect count(0.5) = 1 +- 0
// expect last(0.9) = 1.25 +- 1e-9
// expect state(0.6) = 2 +- 0
// expect state(1.2) = 3 +- 0
// expect high(0.6) = 0 +- 0
// expect high(0.9) = 1 +- 0
