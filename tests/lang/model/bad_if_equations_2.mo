model BadIfEquations2
  Real x;
  Boolean b, c;
equation
  der(x) = 1;
  if x > 1 then // expect error at 6:3: this if-equation needs an 'else' with as many equations as its other branches
    c = true;
  end if;
end BadIfEquations2;
