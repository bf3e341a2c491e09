// expect: ok
model Implicit "nonlinear in the derivative"
  Real x(start = 2.928, fixed = true), u(start = -1) = der(x);
equation
  der(x)^3 + der(x) + x = 0;
end Implicit;
// with u = x': 3/2*u^2 + log(-u) = const - t, u(0) = -1.2
// expect u(0) = -1.2 +- 1e-12
// expect x(0.9) = 1.9427384083014564481 +- 1e-9
// expect x(2.1) = 0.95042723658435717881 +- 1e-9
// expect u(2.1) = -0.66126931006856745564 +- 1e-9
