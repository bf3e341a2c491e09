// expect: ok
model Dos
  Real x = 1;
end Dos;
