// expect: ok
model TerminateInAlgorithm "two ifs deep, in an algorithm"
  Real x(start = 0.25, fixed = true), y;
equation
  der(x) = 1;
algorithm
  y := 2*x;
  if time > 0.5 then
    if y > 1 then
      terminate("far enough");
    end if;
    y := y + 10;
  end if;
end TerminateInAlgorithm;
// stop 3
// expect y(0.25) = 1 +- 1e-9
// expect end BRINK_TERMINATED at 0.5
