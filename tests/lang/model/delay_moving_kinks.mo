// expect: ok
model MovingKinks "events come back through delays that time moves, and a delay that touches zero"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = if time < 1 then 1 else -2;
  der(y) = delay(x, 1 + 0.2*sin(time), 2);
  // sin(t), which the feedback does not see
  der(z) = cos(time) - (delay(z, (time - 1.5)^2/3, 1) - sin(max(0, time - (time - 1.5)^2/3)));
  annotation(experiment(StopTime = 4));
end MovingKinks;
// y by quadrature between the kinks, where t - d is 0 and 1
// expect y(3) = 0.5085524796574735 +- 1e-7
// expect y(4) = -1.6259870706372606 +- 1e-7
// expect z(1.5) = 0.997494986604054 +- 1e-6
// expect z(2.5) = 0.598472144103957 +- 1e-6
