// expect: ok
// set large=7.5
model Limits "beyond min and max: told, and used"
  type Mood = enumeration(calm, wild, mad);
  type Level = Real(min = 0, max = top);
  constant Real top = 6;
  parameter Real low = -0.25;
  parameter Real large(max = top) = 2; // expect warning: the parameter 'large' is 7.5, above its max 6
  parameter Real small(min = 2*low) = -1; // expect warning: the parameter 'small' is -1, below its min -0.5
  parameter Mood mood(max = Mood.wild) = Mood.mad; // expect warning: the parameter 'mood' is mad, above its max wild
  parameter Integer n[3](each min = 2) = {2, 1, 0}; // expect warning: the parameter 'n[2]' is 1, below its min 2
  parameter Real edge(min = 3, max = 3) = 3, free(max = 5) = 4;
  Level x(start = -1, fixed = true); // expect warning: the start value of 'x' is -1, below its min 0
  Level y(start = 6.5); // expect warning: the start value of 'y' is 6.5, above its max 6
  Real late(min = 1, fixed = true); // expect warning: the start value of 'late' is 0, below its min 1
  Real guessed(min = 1) "0 is not asked for, but a place to begin", inside(start = 0, min = 0, max = 0);
equation
  der(x) = large;
  der(late) = small;
  y^2 = 4*edge;
  guessed = 3 + x;
  inside = if mood == Mood.mad then 0 else 2;
end Limits;
// expect x(1) = 6.5 +- 1e-9
// expect late(1) = -1 +- 1e-9
// expect y(1) = 3.4641016151377546 +- 1e-9
