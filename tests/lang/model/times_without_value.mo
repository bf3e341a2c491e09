// expect: ok
model TimesWithoutValue "a time that cannot be computed yet keeps no other event waiting"
  Integer k(start = 0, fixed = true), n(start = 0, fixed = true);
  Boolean b = time > 1/k, c = time > 0.55;
equation
  when time > 0.3 then
    k = 2;
  end when;
  when c then
    n = 7;
  end when;
end TimesWithoutValue;
// expect k(0.31) = 2
// expect b(0.49) = 0
// expect b(0.51) = 1
// expect n(0.54) = 0
// expect n(0.56) = 7
