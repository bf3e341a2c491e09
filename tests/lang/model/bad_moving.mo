model Wrong
  Integer i(start = 1, fixed = true), n = if time > 1 then 3 else 2;
  Real x[3](each start = 1, each fixed = true), y[3], s = sum(x[1:n]); // expect error at 3:67: 'n' is not known before the run; only constants and parameters can be used here
  discrete Real z[3](each start = 0, each fixed = true);
equation
  der(x) = ones(3);
  for k in 1:n loop // expect error at 7:14: 'n' is not known before the run; only constants and parameters can be used here
    y[k] = 1;
  end for;
  when time > 1 then
    z[i] = 4; // expect error at 11:5: the left side of an equation in a when has a subscript that changes; use an algorithm
    i = 2;
  end when;
end Wrong;
