// expect: ok
model FailsDomainJump "a jump beyond a bound does not come to it"
  Real x(start = 1, fixed = true, max = 3.125) annotation(__brink(domain = true));
equation
  der(x) = 0.5;
  when x >= 2 then
    reinit(x, 5.75);
  end when;
end FailsDomainJump;
// stop 5
// expect fails: 'x' (line 3) is 5.75 at t = 2, above its max 3.125: the model does not exist there
