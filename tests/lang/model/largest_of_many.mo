// expect: ok
model LargestOfMany "lines that touch a parabola: which one is the largest is no relation"
  parameter Integer n = 41;
  Real x[n], m = max(x), low = min(-x), q(start = 0, fixed = true);
  discrete Real hit(start = 0, fixed = true);
  Real clock(start = 0, fixed = true);
equation
  der(clock) = 1;
  for i in 1:n loop
    x[i] = 2*0.05*(i - 1)*clock - (0.05*(i - 1))^2;
  end for;
  der(q) = m;
  when m > 2.5 then
    hit = time;
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end LargestOfMany;
// the line of s = 1.6 is the largest from 1.575 to 1.625
// expect hit(2) = 1.58125 +- 1e-12
// expect low(2) = -4 +- 1e-12
// the integral of t^2, less 40 times that of t^2 from -0.025 to 0.025
// expect q(2) = 2.66625 +- 1e-7
