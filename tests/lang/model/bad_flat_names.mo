model Part
  Real port.v = 1;
end Part;
record Pair
  Real a.b; // expect error at 5:8: a dotted name outside of a model is not supported; write it without dots
end Pair;
model BadFlatNames
  Real tank;
  Real tank.level; // expect error at 9:8: 'tank' is declared twice, first in line 8
  Real pipe.rate, pipe.rate; // expect error at 10:19: 'pipe.rate' is declared twice, first in line 10
  Real pipe; // expect error at 11:8: 'pipe' is declared twice, first in line 10
  Part part(port.w = 1); // expect error at 12:13: 'part.port' has no component 'w' to modify
  Pair pair;
equation
  tank = 1;
  pipe.rat = 2; // expect error at 16:3: 'pipe' has no component 'rat'; did you mean 'rate'?
end BadFlatNames;
