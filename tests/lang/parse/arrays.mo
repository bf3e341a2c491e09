// expect: ok
model Arrays
  constant Integer n = 3;
  Real x[n](each start = 1, each fixed = true), A[n, n] = [1, 2, 3; 4, 5, 6; 7, 8, -9];
  Real[2, 3] B = {{1, 2, 3}, {4, 5, 6}};
  Real[2] y[4];
  Real z[:] = {i^2 for i in 1:n};
  Real m[:, 2] = [zeros(2, 1), ones(2, 1)];
  Real h[n] = {if i == 1 then 0.5 else x[i - 1] for i in 1:n};
  Integer k[:] = 10:-2:1;
  Real s = sum(x[i]*A[i, j] for i in 1:n, j in 1:n);
  Real t = max(i for i in {3, 1, 2});
  Real e[3] = x .+ 1 .* x ./ 2 .- x .^ 2;
  Color c[Color] = {Color.red, Color.green};
equation
  x[1] = x[end];
  x[2:end] = A[1, 2:3];
  A[:, end - 1] = x[{1, 3, 2}];
  y[1, 2] = 3;
  for i in 1:n - 1, j in 2:n loop
    der(x[i]) = A[i, j]*x[j] + p.q[i].r[j, 1];
  end for;
  for i loop
    x[i] = 0;
  end for;
  a.b[3].c = .Top.level[2];
  (x + h)[2] = 1;
end Arrays;
