// expect: ok
model Chooses
  parameter Boolean continuous = true;
  parameter Integer kind = 2;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  if continuous then
    der(x) = -x;
  else
    when sample(0.1, 0.1) then
      x = pre(x)*exp(-0.1);
    end when;
  end if;
  for i in 1:2 loop
    if kind == 1 then
      when time > 0.3*i then
        y = pre(y) + 1;
      end when;
    end if;
  end for;
  if kind == 1 then
  elseif kind == 2 then
    if not continuous then
      when time > 0.5 then
        y = 3;
      end when;
    else
      der(y) = 2;
    end if;
  end if;
end Chooses;
model Both
  Chooses a, b[2](continuous = {false, true}, each y.fixed = true);
  annotation(experiment(StopTime = 0.55));
end Both;
// expect a.x(0.55) = 0.576949810380487 +- 1e-8
// expect b[1].x(0.55) = 0.606530659712633 +- 1e-12
// expect b[2].x(0.55) = 0.576949810380487 +- 1e-8
// expect a.y(0.55) = 1.1 +- 1e-9
// expect b[1].y(0.55) = 3
