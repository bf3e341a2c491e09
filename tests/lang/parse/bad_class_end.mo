package p
  model a
    Real x;
  end b; // expect error: 'end a' expected (to close 'model a' at line 2)
  model c
    Real y;
end p; // expect error: 'end c' expected (to close 'model c' at line 5)
model d
  Real z;
// expect error line 12: 'end d' expected (to close 'model d' at line 8) near the end of the file

