model BadIfEquations
  Real x, y, z;
  Boolean b, c;
equation
  der(x) = 1;
  if x > 1 then // expect error at 6:3: the branches of this if-equation have 1 and 2 equations; they must have the same number
    y = 1;
  else
    y = 2;
    z = 3;
  end if;
end BadIfEquations;
