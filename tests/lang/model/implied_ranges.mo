// expect: ok
package P
  constant Real table[4] = {1, 2, 4, 8};
end P;
type Color = enumeration(red, green, blue);
record R
  Real v[2];
end R;
connector Pin
  Real u;
  flow Real i;
end Pin;
model Tank
  parameter Integer n = 2;
  Real level[n](each start = 1, each fixed = true);
  Real all = sum(level[j] for j);
equation
  for j loop
    der(level[j]) = -j*level[j];
  end for;
end Tank;
function norm2
  input Real x[:];
  output Real y;
protected
  Real w[:];
algorithm
  y := 0;
  for i loop
    y := y + x[i]^2;
  end for;
  w := {2*x[k] for k};
  for k loop
    y := y + 0*w[k];
  end for;
end norm2;
model Node
  Pin p;
equation
  p.u = 0.8*p.i;
end Node;
model Source
  Pin p;
equation
  p.u = 1;
end Source;
model ImpliedRanges "for i without a range"
  Real x[3](each start = 1, each fixed = true), A[3, 2], s, t;
  Real c[Color](start = {1, 2, 3}, each fixed = true);
  Real b[Boolean];
  Tank tank[2](n = {2, 3});
  Real sq[3] = {x[i]^2 for i};
  Real AA[3,2] = {A[i, j] for j, i};
  Real tt = sum(P.table[i]*i for i);
  Real mass = sum(sum(tank[i].level[j] for j) for i);
  R r[2];
  discrete Integer k[3](each start = 0, each fixed = true);
  Real n = norm2(x), plus[3];
  Node node[3];
  Source source[3];
equation
  for i loop
    der(x[i]) = -i*x[i] + sum(P.table[i] for i in 1:4) - 15;
    for j loop
      A[i, j] = i + 10*j;
    end for;
  end for;
  for q loop
    der(c[q]) = if q == Color.green then -c[q] else 0;
  end for;
  for q loop
    b[q] = if q then 2 else 1;
  end for;
  for i, j loop
    r[i].v[j] = i*j;
  end for;
  for i loop
    connect(node[i].p, source[i].p);
  end for;
  s = max(x[i] for i);
  t = product(x[i]*r[1].v[1] for i);
  when sample(0, 0.25) then
    for i loop
      k[i] = pre(k[i]) + i;
    end for;
  end when;
algorithm
  for i loop
    plus[i] := i;
    if i == 2 then
      plus[i] := plus[i] + 0.5;
    end if;
  end for;
end ImpliedRanges;
// expect x[3](1) = 0.0497870683678639 +- 1e-8
// expect A[3,2](0.5) = 23
// expect AA[3,1](0.5) = 13
// expect s(0.5) = 0.606530659712633 +- 1e-8
// expect t(0.5) = 0.0497870683678639 +- 1e-8
// expect c[2](1) = 0.735758882342885 +- 1e-8
// expect c[3](1) = 3
// expect b[2](1) = 2
// expect tt(0) = 49
// expect tank[2].all(1) = 0.553001792775919 +- 1e-8
// expect mass(1) = 1.05621651718397 +- 1e-8
// expect r[2].v[2](0) = 4
// expect k[3](0.6) = 9
// expect n(0.5) = 0.553001792775919 +- 1e-8
// expect sq[2](0.5) = 0.135335283236613 +- 1e-8
// expect plus[2](0) = 2.5
// expect node[2].p.i(0.5) = 1.25 +- 1e-12
