model m
  Real x // expect error at 2:9: ';' expected before 'Real'
  Real y;
  Real z = 3 4; // expect error at 4:14: ';' expected before '4'
equation
  x = 1 // expect error at 6:8: ';' expected before 'y'
  y = 2;
  z = 1 x; // expect error at 8:9: ';' expected before 'x'
  y = 3;
end m // expect error at 10:6: ';' expected before the end of the file
