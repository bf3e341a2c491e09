// expect: ok
function above
  input Real x;
  output Boolean yes;
algorithm
  yes := x > 0.5 and floor(x) < 3;
end above;
model BodiesMakeNoEvents "what a body reads is what it literally is when it acts"
  Real x(start = 0, fixed = true), y, z(start = 5, fixed = true);
  discrete Real k(start = 0, fixed = true), q(start = 0, fixed = true), a(start = 0, fixed = true);
  discrete Real s(start = 0, fixed = true), b(start = 0, fixed = true), o(start = 0, fixed = true);
  Integer u(start = 0, fixed = true), j(start = 0, fixed = true);
  Boolean f(start = false, fixed = true);
initial equation
  z = if x > -1 then 5 else 6;
equation
  der(x) = 10;
  der(z) = -1;
  y = x/10 - 0.25*u;
  when sample(0, 1) then
    k = if sin(x) > 0 then 1 else 0;
    q = floor(10*x + 0.01)/10;
    a = abs(sin(x)) + max(cos(x), 0) + sign(x - 15) + mod(x + 0.01, 7);
    f = above(sin(x));
    u = if y > 1.5 then 1 else 0;
    if x > 12 and time < 2.5 then
      j = pre(j) + integer(x/3);
    elseif z > 3 then
      j = -1;
    end if;
    reinit(z, if z > 4.5 then z else z + (if floor(x) > 25 then 2 else 1));
    assert(mod(x, 31) < 30.5, "never");
  end when;
  when x >= 25 then
    o = if x < 25 then -1 else if x >= 25 then 1 else 0;
  end when;
algorithm
  when sample(0.5, 1) then
    s := if cos(x) > 0 then floor(x*100) else -floor(x*100);
    b := s;
  end when;
  when time > 2.75 then
    b := if sin(7*x) > 2 then 1 else ceil(x + 0.3);
  end when;
  annotation(experiment(StopTime = 3), __brink(method = "dopri5"));
end BodiesMakeNoEvents;
// expect k(1.5) = 0
// expect k(2.5) = 1
// expect q(1.5) = 10
// expect q(3) = 30
// expect a(1.5) = 2.554021110889371 +- 1e-6
// expect f(2.5) = 1
// expect u(2.5) = 1
// expect j(1.5) = -1
// expect j(2.5) = 5
// expect z(2) = 5 +- 1e-9
// expect o(3) = 1
// expect s(3) = 2500
// expect b(2.7) = 2500
// expect b(3) = 28
// expect events 9
