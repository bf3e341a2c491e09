// expect: ok
model HomotopyEverywhere "in arrays, functions, initial equations, beside der, in another homotopy"
  function f
    input Real u;
    output Real y;
  algorithm
    y := homotopy(actual = u*exp(u), simplified = u);
  end f;
  Real x[2](start = {1, 2}), z[3](each start = 0.5), s(start = 3);
  parameter Real k(fixed = false, start = 1);
  parameter Real ten = homotopy(10, 20) "a parameter is its actual value";
  Real w[if homotopy(1, 5) < 2 then 1 else 2] = homotopy({1.5}, {7}) "and so is a size";
initial equation
  der(x[1]) = 0.4;
  x[2] = homotopy(2 + time, 5);
  k*z[2] = homotopy(actual = 4 + z[1]^2, simplified = 4);
equation
  homotopy(z + z.^3, 2*z) = {x[1] + z[2], x[2] - 0.3*z[3], z[1] + 1};
  der(x[1]) + 0.1*homotopy(der(x[1])^3, 0) = f(z[1]) - 1;
  der(x[2]) = -x[2] + s;
  exp(s) + s = homotopy(ten, homotopy(actual = 5*s, simplified = 5)) + z[3];
end HomotopyEverywhere;
// expect z[1](0) = 0.699056688523751978 +- 1e-9
// expect x[1](0) = 0.11356827215632695 +- 1e-9
// expect x[2](0) = 2
// expect z[2](0) = 0.927103616314683979 +- 1e-9
// expect z[3](0) = 0.920104164380656517 +- 1e-9
// expect s(0) = 2.16916143505975071 +- 1e-9
// expect k(0) = 4.84161659471535792 +- 1e-8
// expect w[1](0) = 1.5
