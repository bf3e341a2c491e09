// expect: ok
model FailsDomainStart "the initial equation puts d beyond its min, where the model does not exist"
  Real x(start = 1, fixed = true), y(start = 3);
  Real d(min = 0.5) = y - 3.25 annotation(__brink(domain = true));
initial equation
  y = 2*x;
equation
  der(x) = 1;
  der(y) = 1;
end FailsDomainStart;
// stop 2
// expect fails: 'd' (line 4) is -1.25 at t = 0, below its min 0.5: the model does not exist there
