// expect: ok
model MovingSubscript
  parameter Real table[3] = {1.5, 2.5, 4};
  Integer i(start = 1, fixed = true);
  Real y = table[i];
equation
  when sample(1, 1) then
    i = pre(i) + 1;
  end when;
end MovingSubscript;
// expect flat: eqn y = if i == 1 then table[1] elseif i == 2 then table[2] else table[3]
// expect flat: always assert(i >= 1 and i <= 3) "subscript %0{d} is out of range: the size is 3" i;
// expect y(1.5) = 2.5 +- 0
// stop 4
// expect fails: assertion i >= 1 and i <= 3 (line 5) fails: i = 4 at t = 3: subscript 4 is out of range: the size is 3
