model m
  Real x;
equation
  x = 1;
elseif x > 1; // expect error: 'elseif' belongs to no 'if' or 'when'
end m;
