// expect error at 4:14: the string is not closed: '"' expected before the end of the file
model m
  Real x = 1;
  String s = "never closed;
end m;
