// expect: ok
model TerminateIf
  Real x(start = 0.25, fixed = true);
equation
  der(x) = 1;
  if x > 1 then
    terminate("far enough");
  end if;
end TerminateIf;
// stop 3
// expect end BRINK_TERMINATED at 0.75
