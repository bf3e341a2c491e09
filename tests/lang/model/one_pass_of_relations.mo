// expect: ok
model Together "no when sees a relation before it has followed the one it is made of"
  Real x(start = -1, fixed = true), y = if x > 0 then 1 else -1, z = if time > 2 then x else -x;
  Boolean odd = x > 0 and not y > 0, late = time > 2 and not z > 0;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when odd then
    n = pre(n) + 1;
  end when;
  when late then
    m = pre(m) + 1;
  end when;
end Together;
// expect n(3) = 0
// expect m(3) = 0
