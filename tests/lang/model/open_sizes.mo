// expect: ok
function squares
  input Integer n;
  output Real y[:];
algorithm
  y := {i^2 for i in 1:n};
  y := cat(1, y, {100});
end squares;
function stacked
  input Real A[:, :];
  output Real B[2*size(A, 1), size(A, 2)];
protected
  Integer m = size(A, 1);
  Real C[m, size(A, 2)] = 2*A;
  Real v[:], D[m, :];
algorithm
  v := A[:, 1];
  D := A + C;
  B := [C; D];
  B[1, 1] := sum(v);
end stacked;
function fibonacci "the first n"
  input Integer n;
  output Real f[n];
protected
  Real a[n + 1];
algorithm
  a[1:2] := {1, 1};
  for i in 3:n + 1 loop
    a[i] := a[i - 1] + a[i - 2];
  end for;
  f := a[1:n];
end fibonacci;
function primes "up to n; the list grows"
  input Integer n;
  output Integer p[:] = fill(2, 1);
protected
  Boolean prime;
algorithm
  for i in 3:n loop
    prime := true;
    for k in p loop
      if mod(i, k) == 0 then
        prime := false;
        break;
      end if;
    end for;
    if prime then
      p := cat(1, p, {i});
    end if;
  end for;
end primes;
function either "the same size by either way"
  input Real x;
  output Real y[:];
algorithm
  if x < 1 then
    y := {x, 2*x};
  else
    y := {1, -x};
  end if;
end either;
model Sizes
  Real f[7] = fibonacci(7), B[4, 2] = stacked([1, 2; 3, 4]*time), y[4] = squares(3);
  Real last = sum(squares(2)), e[2] = either(time);
  Integer p[size(primes(30), 1)] = primes(30), n = size(p, 1);
end Sizes;
// expect f[7](0) = 13
// expect B[4,2](2) = 24
// expect B[1,1](2) = 8
// expect y[4](0) = 100
// expect last(0) = 105
// expect e[2](0.5) = 1
// expect e[2](2) = -2
// expect n(0) = 10
// expect p[10](0) = 29
