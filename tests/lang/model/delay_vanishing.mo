// expect: ok
model Vanishing "delays that become zero, start from zero, stay small, and need themselves"
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Real z, w(start = 1, fixed = true), k = if time > 1.5 then 2 else 1;
equation
  // sin(t), which the feedback does not see
  der(a) = cos(time) - (delay(a, max(0, 1 - time), 1) - sin(max(0, time - max(0, 1 - time))));
  der(b) = cos(time) - (delay(b, 0.3*time, 1) - sin(0.7*time));
  // k sin(t), with a jump while there is no delay
  der(c) = k*cos(time) - (delay(c, max(0, 1 - time), 1) - k*sin(max(0, time - max(0, 1 - time))));
  // z = x + z/2 once the delay is gone
  z = a + 0.5*delay(z, max(0, 1 - time), 1);
  // w' = -w, nearly
  der(w) = -delay(w, 1e-4 + 1e-5*time, 1);
  when time > 1.5 then
    reinit(c, 2*c);
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Vanishing;
// expect a(0.9) = 0.783326909627483 +- 2e-8
// expect a(1.2) = 0.932039085967226 +- 2e-8
// expect a(3) = 0.141120008059867 +- 2e-8
// expect b(0.01) = 0.00999983333416666 +- 2e-8
// expect b(3) = 0.141120008059867 +- 2e-8
// expect c(1.6) = 1.99914720608301 +- 2e-8
// expect c(3) = 0.282240016119734 +- 2e-8
// expect z(1.2) = 1.86407817193445 +- 5e-8
// expect z(3) = 0.282240016119734 +- 5e-8
// w by Simpson's rule with steps of 1e-5, shorter than the delay
// expect w(1) = 0.3678408116088 +- 2e-8
// expect w(3) = 0.0497698920615 +- 2e-8
