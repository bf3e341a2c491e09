// expect: ok
model Ranges "loops over Booleans and enumerations, and arrays with one element for each"
  type E = enumeration(a, b, c);
  type Same = E;
  parameter Real x[E] = {1.5, 2.5, 3.5};
  Real y[Same], z[Boolean], w[E, Boolean];
  Integer n = size(x, 1), m = size(w, 2);
  Real s = sum(x[e] for e in Same), t[E] = {x[e]*time for e in E};
  Real upper = sum(x[e] for e in E.b:E.c), none = sum(x[e] for e in E.c:E.a);
  Real both = sum((if b then 2 else 1) for b in Boolean);
  Real up[2] = {if b then 2 else 1 for b in false:true};
  E largest = max(E.a, E.c), all[3] = E.a:E.c;
  E e(start = E.b, fixed = true);
  Real moving = w[e, time > 1];
equation
  for k in E loop
    y[k] = if k < E.c then x[k] else 10;
  end for;
  for b in Boolean loop
    z[b] = if b then 7 else 8;
    for k in E.a:E.c loop
      w[k, b] = x[k]*z[b];
    end for;
  end for;
algorithm
  when sample(0.5, 1) then
    for k in E loop
      if k > e then
        e := k;
        break;
      end if;
    end for;
  end when;
end Ranges;
// expect n(0) = 3
// expect m(0) = 2
// expect s(0) = 7.5
// expect t[2](2) = 5
// expect upper(0) = 6
// expect none(0) = 0
// expect both(0) = 3
// expect up[2](0) = 2
// expect largest(0) = 3
// expect all[2](0) = 2
// expect y[3](0) = 10
// expect z[1](0) = 8
// expect w[3,2](0) = 24.5
// expect moving(0.25) = 20
// expect moving(0.75) = 28
// expect moving(1.25) = 24.5
