// expect: ok
// arguments made of parameters are read by value, so that the recursion ends
function factorial
  input Integer n;
  output Integer f;
algorithm
  f := if n <= 1 then 1 else n*factorial(n - 1);
end factorial;
model Recursion
  parameter Integer n = 6;
  Real a = factorial(n), b = factorial(n - 2)*time;
end Recursion;
// expect a(1) = 720
// expect b(0.5) = 12
