// expect: ok
model Sizes
  type Mode = enumeration(off, low, high);
  Mode m(start = Mode.off, fixed = true);
  parameter Real power[Mode] = {0, 1.25, 5};
  parameter Real gain[Boolean] = {2, 3};
  Real p = power[m], q = power[Mode.high], g = gain[m == Mode.low];
  Integer is[Mode];
equation
  for e in Mode loop
    is[e] = if m == e then 1 else 0;
  end for;
  when sample(0.25, 0.25) then
    m = if pre(m) == Mode.off then Mode.low elseif pre(m) == Mode.low then Mode.high else Mode.off;
  end when;
end Sizes;
// expect p(0.3) = 1.25
// expect p(0.6) = 5
// expect q(0.3) = 5
// expect g(0.3) = 3
// expect g(0.6) = 2
// expect is[2](0.3) = 1
// expect is[2](0.6) = 0
