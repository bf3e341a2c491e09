// expect error at 3:15: the comment is not closed: '*/' expected before the end of the file
model m
  Real x = 1; /* never closed
end m;
