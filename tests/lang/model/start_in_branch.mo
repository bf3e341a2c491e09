// expect: ok
model StartInBranch "the start value chooses the branch of a law that is solved for"
  Real x(start = 0.5, fixed = true), p(start = 1);
equation
  p*abs(p) = 4*x;
  der(x) = -p;
end StartInBranch;
// expect p(0) = 1.4142135623730951 +- 1e-12
// expect x(0.5) = 0.042893218813452476 +- 1e-9
