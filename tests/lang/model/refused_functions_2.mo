function fast
  input Real x;
  output Real y;
external "C" y = fast(x) annotation(Library = "fast"); // expect error at 4:1: an 'external' function is not supported; write it as an algorithm in Modelica
end fast;
impure function rnd // expect error at 6:1: an impure function is not supported; use when sample(...) or a parameter
  output Real y;
algorithm
  y := 4;
end rnd;
operator record Complex // expect error at 11:1: operator overloading ('operator') is not supported; use a record and ordinary functions
  Real re, im;
  encapsulated operator function '+'
    input Complex a, b;
    output Complex c;
  algorithm
    c.re := a.re + b.re;
    c.im := a.im + b.im;
  end '+';
end Complex;
model Functions
  Real a = fast(time), b = rnd();
  Complex z(re = 1, im = 2);
end Functions;
