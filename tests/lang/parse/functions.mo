// expect: ok
package Functions
  function newton "square root by Newton's method"
    input Real a;
    input Real tol = 1e-12;
    input Integer limit(min = 1) = 50;
    output Real x;
    output Integer steps;
  protected
    Real dx;
  algorithm
    x := a;
    steps := 0;
    while true loop
      dx := (x^2 - a)/(2*x);
      x := x - dx;
      steps := steps + 1;
      if abs(dx) < tol then
        return;
      elseif steps >= limit then
        break;
      else
        assert(x > 0, "negative " + String(x), AssertionLevel.warning);
      end if;
    end while;
  end newton;

  pure function poly
    input Real c[:], x;
    output Real y = 0;
  algorithm
    for i in size(c, 1):-1:1 loop
      y := y*x + c[i];
    end for;
    annotation(derivative = poly_der, Inline = true, LateInline=true);
  end poly;

  function two
    input Real u;
    output Real a, b;
  algorithm
    (a, b) := newton(u, tol = 1e-8);
    (, b) := newton(u);
    (a) := newton(u);
    newton(u);
  end two;

  model Use
    Real x, y, z = newton(a = 2.385, limit = 3);
  equation
    (x, y) = two(time);
    (, y) = two(time + 1);
    two(3);
  algorithm
    when time > 1 then
      z := pre(z);
    elsewhen {initial(), change(z)} then
      z := 2;
    end when;
  initial algorithm
    x := 3;
  end Use;
end Functions;
