model BadAlgorithms
  parameter Real p = 1;
  Real x, y;
  Integer n;
algorithm
  p := 2; // expect error at 6:3: the parameter 'p' cannot be assigned to
algorithm
  n := 1.5; // expect error at 8:3: the right side is a Real, but an Integer is expected
algorithm
  if x > 1 then
    when x > 2 then // expect error at 11:5: a when cannot stand inside an if or while whose condition changes; put the if inside the when
      n := 1;
    end when;
  end if;
algorithm
  reinit(x, 1); // expect error at 16:3: 'reinit' has a meaning only inside a when
algorithm
  for i in 1:3 loop
    i := 2; // expect error at 19:5: 'i' cannot be assigned to
  end for;
initial algorithm
  when x > 3 then // expect error at 22:3: a when has no meaning in an initial section
    n := 1;
  end when;
equation
  der(x) = 1;
end BadAlgorithms;
