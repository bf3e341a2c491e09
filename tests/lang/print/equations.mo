within A.B;
model Equations "what may be written"
  extends Base(x(start = 1, fixed = true), final y = 2, each z) "why" annotation(A);
  import A.B;
  import C = A.B;
  import A.B.*;
  import A.B.{C, D};
  parameter Real k[3](each min = 0) = {1, 2, 3} if use "gain" annotation(B(c = 1));
protected
  discrete input Integer n;
  flow Real f;
public
  final constant Real[2, :] m;
  inner replaceable Real r constrainedby S(x = 1) "c";
  type E = enumeration(a "first", b);
  type V = Real[3](unit = "m") "v";
  connector I = input Real;
  function d = der(f, x, y);
  encapsulated partial model Inner
    S s(redeclare final replaceable model R = T(k = 1) constrainedby U, each y = 2 "d");
  end Inner;
  function g
    input Real x;
    output Real y;
  external "C" y = h(x, 2) annotation(Library = "m");
  end g;
initial equation
  x = 1 "first" annotation(C = 1);
equation
  connect(a.b[1], c) annotation(Line(points = {{1, 2}}));
  (x, , y) = f(1);
  (if a then b else c) = 0;
  f(x);
  when {a, b} then
    reinit(x, 1);
  elsewhen c then
    x = 2;
  end when annotation(__brink(side = "before"));
  if a then
  elseif b then
    x = 1;
  else
    x = 2;
  end if;
  for i in 1:3, j loop
    x[i] = j;
  end for;
algorithm
  (a, b) := f(x);
  (a) := f(x);
  while a loop
    break;
  end while;
  x[1].y := 2;
initial algorithm
  assert(a, "b");
  annotation(experiment(StopTime = 1.0));
end Equations;
