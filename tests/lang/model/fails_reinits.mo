// expect: ok
model FailsReinits
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -1;
  der(y) = 0;
  when x < 0.25 then
    reinit(x, 2*y);
  end when;
  when x <= 0.25 then
    reinit(x, 3);
  end when;
end FailsReinits;
// stop 5
// expect fails: reinit(x, 2*y) (line 8) and reinit(x, 3) (line 11) disagree: 4 and 3, with y = 2 at t = 0.75
