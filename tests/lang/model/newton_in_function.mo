// expect: ok
model NewtonInFunction "an iteration inside a function as right-hand side and as guard"
  function root "of y + y^3 = a"
    input Real a;
    output Real y;
  algorithm
    y := a/2;
    for i in 1:12 loop
      y := y - (y + y^3 - a)/(1 + 3*y^2);
    end for;
  end root;
  Real x(start = 2, fixed = true), z(start = 1);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -root(x);
  root(z) = x "solved by Newton's method with the Jacobian of the iteration";
  when root(x) < 0.5 then
    n = pre(n) + 1;
  end when;
end NewtonInFunction;
// with y = root(x): log(y) + 1.5 y^2 = 1.5 - t, so y = 0.5 at t = 1.125 + log(2)
// expect x(1) = 1.1302634692997875 +- 1e-9
// expect z(1) = 2.5741699764852566 +- 1e-8
// expect event 1 at 1.8181471805599453 +- 1e-9
// stop 1.9
