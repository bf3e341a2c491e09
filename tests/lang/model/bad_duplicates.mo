model BadDuplicates
  model Source
    parameter Real level = 0;
    Real y(start = 1, fixed = true);
  equation
    der(y) = level;
  end Source;
  model Steep = Source(level = 1,
    level = 2); // expect error at 9:5: 'level' is given twice, first in line 8, column 24; one of the two must go
  model Lower
    extends Source(level = 1, y(start = 3),
      y.start = 4); // expect error at 12:7: 'start' is given twice, first in line 11, column 33; one of the two must go
  end Lower;
  type Length = Real(unit = "m", min = 0,
    unit = "km"); // expect error at 15:5: 'unit' is given twice, first in line 14, column 22; one of the two must go
  record Pair
    Real a, b;
  end Pair;
  Steep steep(y.start = 1, y.fixed = false, y(nominal = 3)); // different attributes
  Lower lower[2](each level = 2,
    level = {3, 4}); // expect error at 21:5: 'level' is given twice, first in line 20, column 18; one of the two must go
  Length l(start = 1,
    start = 2, // expect error at 23:5: 'start' is given twice, first in line 22, column 12; one of the two must go
    start = 3); // expect error at 24:5: 'start' is given twice, first in line 22, column 12; one of the two must go
equation
  der(l) = 0;
  annotation(experiment(StopTime = 1,
    StopTime = 2)); // expect error at 28:5: 'StopTime' is given twice, first in line 27, column 25; one of the two must go
end BadDuplicates;
