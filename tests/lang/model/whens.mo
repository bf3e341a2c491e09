// expect: ok
model Whens
  Real x(start = 0, fixed = true);
  discrete Real a(start = 1), b(start = 0);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean on(start = false, fixed = true), odd(start = false, fixed = true);
  parameter Real T = 0.5;
equation
  der(x) = 1;
  when {x > 1, initial()} then
    a = pre(a) + 1;
  elsewhen x > 2 then
    a = 10;
  end when;
  when sample(T, T) then
    n = pre(n) + 1;
    odd = mod(n, 2) == 1;
    if odd then
      m = n;
    elseif n > 100 then
      reinit(x, 0);
    end if;
  end when;
  when change(n) and edge(odd) then
    b = time;
  end when;
  when time >= 2.75 then
    on = true;
    terminate("done at " + String(time));
  end when;
  annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-8, NumberOfIntervals = 300));
end Whens;
// expect flat: when {x > 1}, initial(): a = pre(a) + 1;
// expect flat: elsewhen {x > 2}: a = 10.0;
// expect flat: when sample(T, T): n = pre(n) + 1; odd = mod(n, 2) == 1; m = if odd then n elseif n > 100 then pre(m) else pre(m); if not odd and n > 100 then reinit(x, 0.0);
// expect flat: when n <> pre(n) and (odd and not pre(odd)): b = time;
// expect flat: when {time >= 2.75}: on = true; terminate "done at %0{.6g}" time;
// expect flat: experiment 0 3 1e-08 0.01 method "" locate "" zeno "" sliding ""
// expect n(2.2) = 4 +- 0
// expect m(2.2) = 3 +- 0
// expect b(2.2) = 1.5 +- 1e-12
// expect a(2.2) = 10 +- 0
// stop 5
// expect end BRINK_TERMINATED at 2.75
