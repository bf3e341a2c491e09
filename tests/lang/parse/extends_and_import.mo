// expect: ok
package P
  import SI = Modelica.Units.SI;
  extends Modelica.Icons.Package;
  model A
    extends P.Base(final x(start = 1.5, fixed = true), redef = 3, p(q(r = 1)));
    extends .P.Other annotation(A = 1);
  end A;
  model B = A(x(start = 2)) "an alias with a modification" annotation(Icon());
  function f = g(k = 3);
  type T = SI.Position(displayUnit = "mm");
end P;
final model Last
end Last;
