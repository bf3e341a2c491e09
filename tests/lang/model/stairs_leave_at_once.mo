// expect: ok
// stairs whose argument stands exactly on a step at the start and leaves it downwards
// change at 0+, at the start time, however short the first step is
model StairsLeaveAtOnce
  Integer k = integer(floor(1 - 2*time));
  Integer m = integer(1 - 1.3*time);
end StairsLeaveAtOnce;
// expect event 1 at 0 +- 1e-15
// expect event 2 at 0 +- 1e-15
// expect event 3 at 0.5 +- 1e-14
// expect event 4 at 0.76923076923076923 +- 1e-14
// expect events 4
// expect k(0.83) = -1
// expect m(0.83) = -1
// stop 0.83
