// expect: ok
// guards that cancel at the start, and guards that reach zero where the run ends
model ZerosAtTheEnds
  parameter Real c[5] = {1, 1.7, 3, 1e3, 0.1};
  Real x(start = 0, fixed = true);
  Integer whole = integer(time*time + 1);
  Boolean above[5], far = time*time >= 2.25;
equation
  der(x) = 1;
  for i in 1:5 loop
    above[i] = time*time + c[i] >= c[i];
  end for;
end ZerosAtTheEnds;
// expect event 1 at 1 +- 1e-12
// expect events 3
// expect whole(1.5) = 3
// expect far(1.5) = 1
// stop 1.5
