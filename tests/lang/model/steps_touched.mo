// expect: ok
function level
  input Real x;
  output Integer n = if x < 0.5 then 1 elseif x < 1 then 2 else 3;
end level;
model Touched "an argument that turns round on a step does not leave it, not even for an instant"
  parameter Real tab[3] = {10, 20, 30};
  Real y(start = 1.3, fixed = true), held(start = 0, fixed = true);
  Integer a = integer(abs(y)), b = integer(abs(1.55 - time)), c = integer(abs(min(time, y)));
  Integer na(start = 0, fixed = true), nb(start = 0, fixed = true), nc(start = 0, fixed = true);
equation
  der(y) = -0.7;
  when change(a) then
    na = pre(na) + 1;
  end when;
  when change(b) then
    nb = pre(nb) + 1;
  end when;
  when change(c) then
    nc = pre(nc) + 1;
  end when;
  when time > 1 then
    held = tab[mod(level(y), 3) + 1] + mod(level(y), 3);
  end when;
end Touched;
// expect na(3) = 1
// expect nb(3) = 2
// expect nc(3) = 0
// expect held(3) = 32
