model BadWhens
  Real x, y, s;
  discrete Real d;
  Integer n;
initial equation
  when x > 1 then // expect error at 6:3: a when has no meaning in an initial section
    d = 1;
  end when;
equation
  der(x) = 1;
  reinit(x, 0); // expect error: 'reinit' has a meaning only inside a when
  when x > 1 then
    when x > 2 then // expect error at 13:5: a when cannot stand inside another when
      d = 3;
    end when;
    2*d = 3; // expect error: the left side of an equation in a when must be a variable
    n = 1.5; // expect error: the right side is a Real, but an Integer is expected
    reinit(n, 1); // expect error: 'reinit' cannot give a Real to an Integer
  end when;
  when x then // expect error at 20:8: the condition of a when is a Real, but a Boolean is expected
    y = 1;
  end when;
  when noEvent(x > 3) then // expect error at 23:8: the condition of a when must make events; a relation in noEvent() makes none
    s = 1;
  end when;
  when x > 4 then
    s = 2; // expect error: 's' is set by two when-clauses; join them with 'elsewhen'
  end when;
  terminate("never"); // expect error: 'terminate' stands inside a when or an if
end BadWhens;
