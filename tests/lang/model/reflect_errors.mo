model ReflectErrors
  parameter Real r[2] = {1, 0.5}, q[3] = {1, 0, 0};
  Real a(start = 1, fixed = true) annotation(__brink(reflect = r)); // expect error: 'reflect' of 'a' needs a min or a max
  Real b(start = 1, fixed = true, min = 0) annotation(__brink(reflect = q)); // expect error: 'reflect' of 'b' needs a vector with one Real for each of the 2 states, in order of declaration; this is a Real array of size [3]
  Real c(min = 0) annotation(__brink(reflect = r)); // expect error: 'reflect' needs a state: der(c) appears nowhere
equation
  der(a) = -1;
  der(b) = -1;
  c = a + b;
end ReflectErrors;
