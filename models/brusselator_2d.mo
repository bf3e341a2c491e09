// The Brusselator with diffusion in two dimensions, on a square with n x n points and no
// flux across its sides (Hairer and Wanner, Solving Ordinary Differential Equations II,
// section IV.10, with another start and without the periodic source).  The reaction
// oscillates, diffusion makes it stiff as n grows.
model Brusselator2D "reaction and diffusion on a square"
  parameter Integer n = 16 "points on a side";
  parameter Real A = 1, B = 3.4 "concentrations that are kept";
  parameter Real alpha = 0.1 "diffusion";
  parameter Real h = 1/(n - 1) "between points";
  Real u[n, n](start = {{22*((j - 1)*h)*(1 - (j - 1)*h)^1.5 for j in 1:n} for i in 1:n},
    each fixed = true);
  Real v[n, n](start = {{27*((i - 1)*h)*(1 - (i - 1)*h)^1.5 for j in 1:n} for i in 1:n},
    each fixed = true);
  Real mid = u[div(n, 2), div(n, 2)] "in the middle";
  Integer rises(start = 0, fixed = true) "how often it has passed 1 from below";
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = A + u[i, j]^2*v[i, j] - (B + 1)*u[i, j] + alpha/h^2*(
        u[if i > 1 then i - 1 else 2, j] + u[if i < n then i + 1 else n - 1, j] +
        u[i, if j > 1 then j - 1 else 2] + u[i, if j < n then j + 1 else n - 1] - 4*u[i, j]);
      der(v[i, j]) = B*u[i, j] - u[i, j]^2*v[i, j] + alpha/h^2*(
        v[if i > 1 then i - 1 else 2, j] + v[if i < n then i + 1 else n - 1, j] +
        v[i, if j > 1 then j - 1 else 2] + v[i, if j < n then j + 1 else n - 1] - 4*v[i, j]);
    end for;
  end for;
  when mid > 1 then
    rises = pre(rises) + 1;
  end when;
  annotation(experiment(StopTime = 11.5));
end Brusselator2D;
