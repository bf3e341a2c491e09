model m
  Real x;
equation
  if x > 0 then
    x = 1;
  else if x < 0 then
    x = 2;
  end if;
end m; // expect error: 'end if' expected (to close 'if' at line 4); 'else if' opens a second 'if': write 'elseif'
