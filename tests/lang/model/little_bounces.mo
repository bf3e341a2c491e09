// expect: ok
model LittleBounces "a ball that keeps a hundredth of its speed"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.01 * pre(v));
  end when;
end LittleBounces;
// stop 5
// expect h(5) = 0 +- 1e-12
