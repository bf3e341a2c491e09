// expect: ok
model FailsContradiction "two initial equations that cannot both hold"
  Real x, y, z(start = 0.5, fixed = true);
initial equation
  x + 2*y = 3;
  2*x + 4*y = 7*z;
  x = 1e-9*y;
equation
  der(x) = -x;
  der(y) = -y;
  der(z) = 0;
end FailsContradiction;
// stop 1
// expect fails: the start is over-determined: 2*x + 4*y = 7*z (line 6) is missed by 2.5, with x = 1.5e-09, y = 1.5, z = 0.5; it contradicts x + 2*y = 3 (line 5) and the fixed start value of 'z' (line 3); 3 conditions (lines 5, 6, 7) for 2 free values...
