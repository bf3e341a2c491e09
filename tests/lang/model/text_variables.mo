// expect: ok
function two
  input Real x;
  output Real y = 2*x;
  output String s = "twice " + String(x);
end two;
model Said
  Real x(start = 0, fixed = true), y;
  String s, a[2] = {"p" + String(x), "q"}, b[2, 1];
  String c;
  Integer i = if x > 1 then 2 else 1;
  discrete String w(start = "none");
  String alg;
equation
  der(x) = 1;
  (y, s) = two(x);
  b = [a[1]; "r"];
algorithm
  alg := "in an algorithm";
  if x > 0.5 then
    alg := "late";
  end if;
algorithm
  when x > 0.5 then
    w := "half";
    c := "c";
  end when;
equation
  assert(x < 1.5, s + ";" + a[i] + ";" + b[1, 1] + ";" + w + ";" + c + alg);
end Said;
// expect y(1) = 2 +- 1e-9
// stop 2
// expect fails: assertion x < 1.5 (line 29) fails: x = 1.5 at t = 1.5: twice 1.5;q;p1.5;half;clate
