// expect: ok
model RefilledTank "runs empty, and is filled at once"
  parameter Real A = 1.3, k = 0.4;
  Real h(start = 0.7, fixed = true), qo;
  Boolean pump(start = false, fixed = true);
equation
  A*der(h) = (if pump then 0.6 else 0) - qo;
  qo = if h > 0 then k*sqrt(h) else 0;
  when h <= 0 then
    pump = true;
  elsewhen h >= 0.5 then
    pump = false;
  end when;
end RefilledTank;
// empty after (2 A/k) sqrt(0.7)
// expect event 1 at 5.43829017247149 +- 1e-7
// the law of a full tank holds again at once
// expect events 4
// expect event 4 at 7.05803142979167 +- 2e-7
// expect pump(7.1) = 0 +- 0.001
