// expect: ok
model FailsOverflow
  Real x(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = 0.5;
  der(w) = x/(1 + exp(800*x));
end FailsOverflow;
// stop 5
// expect fails: exp(800*x) overflows: 800*x = 709.78271..., x = 0.8872283..., in der(w) = x/(1 + exp(800*x)) (line 6) at t = 1.774456...; no smaller step avoids it: end or change the law before, by a when or an if
