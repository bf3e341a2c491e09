// expect: ok
model StairsInTimeAlone "only known times: nothing is located"
  Real saw = mod(time, 0.7), x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if saw < 0.35 then 1 else -1;
  when saw < 0.35 then
    n = pre(n) + 1;
  end when;
end StairsInTimeAlone;
// expect x(6.3) = 0 +- 1e-9
// expect n(6.2999) = 8
// expect n(6.3) = 9
// expect events 27
