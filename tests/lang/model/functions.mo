// expect: ok
package F
  constant Integer most = 20;
  function square
    input Real x;
    output Real y;
  algorithm
    y := x*x;
  end square;
  function norm "of any vector"
    input Real v[:];
    output Real n;
  protected
    Real s = 0;
  algorithm
    for i in 1:size(v, 1) loop
      s := s + square(v[i]);
    end for;
    n := sqrt(s);
  end norm;
  function clip
    input Real x, low = 0, high = 1;
    output Real y;
    output Boolean hit;
  algorithm
    hit := true;
    if x < low then
      y := low;
      return;
    elseif x > high then
      y := high;
      return;
    end if;
    y := x;
    hit := false;
  end clip;
  function root "of a by Newton's method"
    input Real a;
    output Real x;
  algorithm
    x := 1;
    for i in 1:most loop
      if abs(x*x - a) < 1e-13 then
        break;
      end if;
      x := (x + a/x)/2;
    end for;
  end root;
  function root2
    input Real a;
    output Real x = 1;
  algorithm
    while abs(x*x - a) >= 1e-13 loop
      x := (x + a/x)/2;
    end while;
  end root2;
  function factorial
    input Integer n;
    output Integer f;
  algorithm
    f := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;
  function swap
    input Real v[2];
    output Real u[2];
  protected
    Integer k;
  algorithm
    k := 2;
    while k > 0 loop
      u[3 - k] := v[k];
      k := k - 1;
    end while;
  end swap;
end F;
record Complex
  Real re, im = 0;
end Complex;
function times
  input Complex a, b;
  output Complex c;
algorithm
  c.re := a.re*b.re - a.im*b.im;
  c.im := a.re*b.im + a.im*b.re;
end times;
model Functions
  import F.*;
  parameter Integer n = factorial(4);
  Real x(start = 2, fixed = true), a, b, c, d, e, u[2];
  Boolean hit;
  Complex z = times(Complex(x, 1), Complex(re = 2));
  Real w[n];
equation
  der(x) = 1;
  a = norm({3*x, 4*x});
  (b, ) = clip(x, high = 2.5);
  c = clip(low = -1, x = x);
  d = root(x);
  e = root2(x);
  u = swap({x, 7});
  w = fill(x, n);
  hit = noEvent(false);
end Functions;
// expect flat: eqn a = sqrt(3*x*(3*x) + 4*x*(4*x))
// expect flat: eqn b = if if x < 0.0 then true elseif x > 2.5 then true else false then if x < 0.0 then 0.0 else 2.5 else x
// expect flat: eqn u[1] = 7.0
// expect flat: eqn u[2] = x
// expect flat: parameter n = 24
// expect flat: eqn w[24] = x
// expect a(1) = 15 +- 1e-9
// expect b(0.4) = 2.4 +- 1e-9
// expect b(1) = 2.5 +- 1e-9
// expect c(1) = 1 +- 1e-9
// expect d(1) = 1.7320508075688772 +- 1e-9
// expect e(1) = 1.7320508075688772 +- 1e-9
// expect z.re(1) = 6 +- 1e-9
// expect z.im(1) = 2 +- 1e-9
