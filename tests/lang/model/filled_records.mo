// expect: ok
model FilledRecords "an array of one record"
  record Size
    Real area = 1.2, height = 2;
  end Size;
  model Tank
    parameter Size size;
    Real h(start = 1, fixed = true);
  equation
    size.area*der(h) = -0.5;
  end Tank;
  parameter Size one = Size(area = 2.5);
  parameter Size all[2] = fill(one, 2);
  Tank t[3](size = fill(Size(area = 0.8), 3), h.start = {1, 2, 3});
  Real total = sum(t.h) + all[2].area;
end FilledRecords;
// expect t[3].h(0.4) = 2.75 +- 1e-12
// expect total(0.4) = 7.75 +- 1e-12
