// expect: ok
// set careful=false
model Careless "the other branch of an if inside a when"
  Real x(start = 1, fixed = true);
  parameter Boolean careful = true;
  Boolean late = time > 0.5;
equation
  der(x) = -0.5;
  when x < 0.5 then
    if late and not careful then
      reinit(x, 7);
      terminate("careless at " + String(time));
    elseif not late then
      assert(false, "early");
    end if;
  end when;
end Careless;
// stop 3
// expect end BRINK_TERMINATED at 1
// expect says: careless at 1: 'x < 0.5 (line 9)' ended the run at t = 1
// expect x(3) = 7 +- 0
