function odd
  input Real x;
  output Real y[:] = {1};
algorithm
  if x > 1 then
    y := {1, 2}; // expect error at 6:5: the size of 'y' would depend on a condition that is not known before the run
  end if;
end odd;
function flat
  input Real x;
  output Real y[:];
algorithm
  y := [x, x]; // expect error at 13:3: the right side is a Real array of size [1,2], but a Real array of size [0] is expected
end flat;
function unset
  input Real x;
  output Real y[2, :];
algorithm
  y[1, 1] := x; // expect error at 19:8: subscript 1 is out of range: the size is 0
end unset;
function two
  input Real x;
  output Real a, b = x;
algorithm
  a := x;
end two;
model Wrong
  Real a[1] = odd(time), b[2] = flat(time), c[2, 1] = unset(time), d, e, f;
algorithm
  (d, e, f) := two(time); // expect error at 30:3: the function has only 2 outputs
end Wrong;
