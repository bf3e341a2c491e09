// expect: ok
// the method of steps by hand: x = 1 - t, then 1 - t + (t - 1)^2/2, then - (t - 2)^3/6
model Delays
  Real x(start = 1, fixed = true);
  Real ramp = delay(time, 0.5), jump = delay(if time < 0.3 then 0 else 2 + time, 0.25);
  Real pair[2] = delay({time, 2*time}, 0.25);
  Boolean low = delay(x, 0.4) < 0.3;
  Integer n(start = 0, fixed = true);
equation
  der(x) = -delay(x, 1);
  when low then
    n = pre(n) + 1;
  end when;
end Delays;
// stop 3
// expect x(0.75) = 0.25 +- 1e-9
// expect x(1.75) = -0.46875 +- 1e-9
// expect x(3) = -0.16666666666666666667 +- 1e-9
// expect ramp(0.25) = 0
// expect ramp(2) = 1.5 +- 1e-12
// expect jump(0.54) = 0
// expect jump(0.56) = 2.31 +- 1e-12
// expect pair[2](1) = 1.5 +- 1e-12
// expect event 1 at 0.3 +- 0
// expect event 2 at 1.1 +- 1e-8
// expect n(3) = 1
