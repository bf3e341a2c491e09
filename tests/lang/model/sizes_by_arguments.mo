// expect: ok
// a parameter handed to a function may decide sizes, ranges and subscripts there
function bits
  input Integer k, n;
  output Boolean b[n];
algorithm
  for i in 1:n loop
    b[i] := rem(k, 2^i) >= 2^(i - 1);
  end for;
  b[n] := not b[n];
end bits;
model Sizes
  parameter Integer n = 3;
  Integer k(start = 4, fixed = true);
  Boolean b[n + 1] = bits(k, n + 1);
equation
  when sample(0.5, 1) then
    k = pre(k) + 1;
  end when;
end Sizes;
// expect b[1](0.25) = 0
// expect b[3](0.25) = 1
// expect b[4](0.25) = 1
// expect b[1](0.75) = 1
