// two calls at each of a hundred levels: one sentence, at once
function fibonacci
  input Real n;
  output Real y;
algorithm
  y := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2); // expect error at 6:29: calls of 'fibonacci' are nested more than 100 deep
end fibonacci;
model Endless
  Real x = fibonacci(time);
end Endless;
