// expect: ok
model FailsSliding "a relay that both sides lead to"
  Real x(start = 1, fixed = true), v(start = 0.25, fixed = true);
equation
  der(x) = v;
  der(v) = -x - 2*v - 3*sign(x + v);
end FailsSliding;
// stop 5
// expect fails: the solution slides or chatters from t = 0.34830669... on: from either side of 'sign(x + v) (line 6)' it is driven back to the other; give the switch a hysteresis, or a law for what follows
