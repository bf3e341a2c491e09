// expect: ok
function det "by minors; the sizes of the arguments are told by themselves"
  input Real A[:, size(A, 1)];
  output Real d;
protected
  Integer n = size(A, 1);
algorithm
  if n == 1 then
    d := A[1, 1];
  else
    d := 0;
    for j in 1:n loop
      d := d + (-1)^(1 + j)*A[1, j]*det([A[2:n, 1:j - 1], A[2:n, j + 1:n]]);
    end for;
  end if;
end det;
function slopes
  input Real c[:] = {1, 2, 3};
  input Real b[size(c, 1)] = c;
  output Real d[size(c, 1) - 1];
algorithm
  for i in 1:size(d, 1) loop
    d[i] := i*c[i + 1] + b[i];
  end for;
end slopes;
model Square
  Real d = det([2, 1, 0; 1, 3, time; 0, 1, 4]), s[2] = slopes(), t[3] = slopes({1, 2, 3, time}, ones(4));
end Square;
// expect d(2) = 16 +- 1e-12
// expect s[2](0) = 8
// expect t[3](7) = 22
