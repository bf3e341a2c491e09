package Top
  constant Real c = 1;
end Top;
model Wrong
  package Local
    constant Real k = 2;
  end Local;
  import L = Local;
  import Local.k;
  import Top.{c, d};
  import Other.*;
  Real a = L.k; // expect error at 12:12: the import of 'L' from 'Local' finds nothing: imports begin at the top of the file; flatten the model first if it comes from a library
  Real b = k; // expect error at 13:12: the import of 'k' from 'Local.k' finds nothing: imports begin at the top of the file; flatten the model first if it comes from a library
  Real e = c + d; // expect error at 14:16: the import of 'd' from 'Top' finds nothing: imports begin at the top of the file; flatten the model first if it comes from a library
  Real f = zz; // expect error at 15:12: variable 'zz' is not declared
end Wrong;
