model m
  Real x;
equation
  x = 1;
  end if; // expect error: 'end if' closes nothing
  x = 2;
end m;
