// expect: ok
model Arrays
  parameter Integer n = 3;
  parameter Real A[2, 2] = [1, 2; 3, 4], c[:] = {1.5, 2.5};
  Real x[n](each start = 1, each fixed = true), y[2], z[n], s, m[2, 2];
  Real q[2, n] = {{i*j for j in 1:n} for i in 1:2};
equation
  for i in 1:n loop
    der(x[i]) = -i*x[i];
  end for;
  y = A*c;
  z = 2*x + fill(1, n);
  s = sum(x) + c*c + x[end] + max(c) + size(A, 1) + sum(i^2 for i in 1:3);
  m = transpose(A)*A;
end Arrays;
// expect flat: var x[2]: Real continuous start = 1.0 fixed
// expect flat: eqn der(x[3]) = -3*x[3]
// expect flat: eqn y[1] = A[1,1]*c[1] + A[1,2]*c[2]
// expect flat: eqn z[2] = 2*x[2] + 1
// expect flat: eqn q[2,3] = 6.0
// expect flat: parameter A[2,1] = 3.0
// expect x[2](1.5) = 0.049787068367863944 +- 1e-9
// expect s(0) = 31.0 +- 1e-9
// expect m[1,2](0) = 14.0 +- 1e-9
