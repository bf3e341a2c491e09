function f
  input Real x;
  input Integer n = 1;
  output Real y;
algorithm
  y := x*n;
end f;
function g
  input Real x;
  output Real y;
protected
  Real t;
algorithm
  y := t + x; // expect error at 14:8: 't' has no value here
end g;
function h
  input Real x;
  output Real y;
algorithm
  y := 1;
end h;
function forever
  input Real x;
  output Real y;
algorithm
  y := forever(x + 1); // expect error at 26:8: calls of 'forever' are nested more than 100 deep
end forever;
function outside
  input Real x;
  output Real y;
algorithm
  y := a; // expect error at 32:8: variable 'a' is not declared
end outside;
function missing
  input Real x;
  output Real y;
algorithm
  if x > 1 then
    assert(false, "never");
  end if;
end missing;
model BadFunctions
  Real a, b;
equation
  a = f(true); // expect error at 45:9: the argument 'x' of 'f' is a Boolean, but a Real is expected
  a = f(); // expect error at 46:7: the argument 'x' of 'f' is missing
  a = f(1, 2, 3); // expect error at 47:7: 'f' takes 2 arguments, not 3
  a = f(1, m = 2); // expect error at 48:12: 'f' has no argument 'm'
  a = g(1);
  a = forever(b);
  a = outside(b);
  (a, b) = sin(1); // expect error at 52:12: a function with several outputs is expected here
  a = f({1, 2}); // expect error at 53:3: the two sides of this equation differ: a Real and a Real array of size [2]
end BadFunctions;
