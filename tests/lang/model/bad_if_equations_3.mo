model BadIfEquations3
  Real x;
  Boolean b, c;
equation
  der(x) = 1;
  if x > 1 then
    b = true; // expect error at 7:5: the branches of an if-equation must set the same Boolean or enumeration variables
  else
    c = true;
  end if;
  if x > 2 then
    when x > 3 then // expect error at 12:5: a when cannot stand inside an if whose condition changes; put the if inside the when
      reinit(x, 0);
    end when;
  end if;
end BadIfEquations3;
