model BadLimits
  type Mood = enumeration(calm, wild);
  parameter Real a = 2.5, b = -4;
  Real x(start = 3, fixed = true, min = 2*a, max = a - b/8); // expect error at 4:8: 'x' cannot have a value: its min 5 is above its max 3
  parameter Integer n(min = 3, max = 2) = 2; // expect error: 'n' cannot have a value: its min 3 is above its max 2
  parameter Mood mood(min = Mood.wild, max = Mood.calm) = Mood.wild; // expect error: 'mood' cannot have a value: its min wild is above its max calm
  Real y[2](min = {0, 2}, max = {1, 1}); // expect error: 'y[2]' cannot have a value: its min 2 is above its max 1
equation
  der(x) = 1;
  y = {x, x};
end BadLimits;
