// expect: ok
model Beyond
  Integer i(start = 1, fixed = true);
  Real a[3](each start = 0, each fixed = true);
algorithm
  when sample(0.1, 0.2) then
    a[i] := 1;
    i := i + 1;
  end when;
end Beyond;
// stop 2
// expect fails: assertion pre(i) >= 1 and pre(i) <= 3 (line 7) fails: pre(i) = 4 at t = 0.7: subscript 4 is out of range: the size is 3
