// expect: ok
// a steady start of a long chain, in which derivatives fade away over many orders of magnitude
model SteadyChain
  parameter Integer n = 120;
  Real x[n](each start = 1), y[n], left = y[n] - x[n]^3;
initial equation
  for i in 1:n loop
    der(x[i]) = 0;
  end for;
equation
  y[1] = 1 + 0.1*x[n];
  for i in 2:n loop
    y[i] = 1 + 0.1*x[i - 1] + 0.05*y[i - 1];
  end for;
  for i in 1:n loop
    der(x[i]) = y[i] - x[i]^3;
  end for;
end SteadyChain;
// expect left(0) = 0 +- 1e-14
// expect left(1) = 0 +- 1e-14
