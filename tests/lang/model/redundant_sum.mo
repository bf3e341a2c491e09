model Redundant "three currents into a node, and the same law once more"
  Real a, b, c(start = 1, fixed = true);
equation
  a + b + c = 0; // expect error: the equations depend on each other: if line 4 is replaced by line 4 + 0.5*line 5, then line 4 is too many for no variable, and nothing determines all of 'a', 'b'
  -2*a - 2*b = 2*c;
  der(c) = -c;
end Redundant;
