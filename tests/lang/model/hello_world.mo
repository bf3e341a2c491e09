// expect: ok
class HelloWorld "Fritzson's first model"
  Real x(start = 1, fixed = true);
  parameter Real a = 1.25;
equation
  der(x) = -a*x;
end HelloWorld;
// expect x(1.3) = 0.19691167520419 +- 1e-9
