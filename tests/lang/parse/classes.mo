// expect: ok
package Classes
  record Point "a record"
    Real x = 0, y = 0;
  end Point;
  type Mode = enumeration(off "not on", on, 'half on');
  type Any = enumeration(:);
  type Vec = Real[3](each unit = "m") "three";
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector RealInput = input Real "'input Real' as connector";
  block Gain
    input Real u;
    output Real y;
    parameter Real k = 1;
  equation
    y = k*u;
  end Gain;
  class Old
    discrete Real x;
  end Old;
  partial class Base
    Real q;
  end Base;
  model Sub
    extends Base(q(start = 3, fixed = true));
    Pin p, n;
    Gain g[2](k = {1, 2}, each u(min = 0));
    Point c(x = 1, y = 2) = Point(3, y = 4);
    Mode m(start = Mode.on) = Mode.'half on';
    parameter Sub.Inner inner_one;
    model Inner
    end Inner;
  equation
    connect(p, n);
    for i in 1:2 loop
      connect(g[i].y, g[i].u) "in a loop";
    end for;
    if m == Mode.off then
      connect(p, n);
      q = 1;
    else
      q = 2;
    end if;
  end Sub;
end Classes;
