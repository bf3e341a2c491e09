// expect: ok
// set tank.k=1
model FlatNames
  parameter Real tank.k = 2.0;
  parameter Integer tank.pipe.n = 2;
  Real tank.level(start = 1.0, fixed = true);
  Real tank.pipe.rate[tank.pipe.n] = {1, 10}*tank.level;
  discrete Integer count.n(start = 0, fixed = true);
equation
  der(tank.level) = -tank.k*tank.level;
  when tank.level < 0.5 then
    count.n = pre(count.n) + 1;
    reinit(tank.level, 1);
  end when;
end FlatNames;
// expect tank.level(0.5) = 0.606530659712633 +- 1e-8
// expect tank.pipe.rate[2](0.5) = 6.06530659712633 +- 1e-7
// expect count.n(1) = 1
