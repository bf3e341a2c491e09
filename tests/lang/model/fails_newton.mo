// expect: ok
model FailsNewton
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) = -1 - 0.001*z;
  z^2 + 0.1*exp(z) = x;
end FailsNewton;
// stop 5
// expect fails: no solution of z^2 + 0.1*exp(z) = x (line 6) near z = -0.04767..., with x = 0.0976172... at t = 0.9018...; no smaller step avoids it
