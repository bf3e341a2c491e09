// expect: ok
// several turns of a loop, and several whens in it, set one variable
model Loop
  constant Integer n = 3;
  Real x[n](start = {0, 0.25, 0.5}, each fixed = true);
  discrete Real total(start = 0, fixed = true), on[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = 1;
  end for;
algorithm
  for i in 1:n loop
    when x[i] > 0.625 then
      on[i] := 1;
      total := total + i;
    end when;
    when x[i] > 1 then
      on[i] := 2;
      total := total + 10*i;
    end when;
  end for;
end Loop;
// stop 0.8
// expect total(0.2) = 3
// expect total(0.4) = 5
// expect total(0.6) = 35
// expect total(0.8) = 56
// expect on[3](0.4) = 1
// expect on[3](0.6) = 2
