// expect: ok
// A ball that bounces (a transition from a mode to itself) until it is too slow, then
// rests without a state until the floor kicks it.  Both transitions of fly hold
// at an impact that is too slow; priority 1 goes first.
model Ball
  model Fly
    Real h(start = 1.37, fixed = true), v(start = 0.41, fixed = true);
    parameter Real g = 9.81;
  equation
    der(h) = v;
    der(v) = -g;
  end Fly;
  model Rest
    Real h(start = 7);
  equation
    h = 0;
  end Rest;
  Fly fly;
  Rest rest;
  parameter Real e = 0.62, slow = 1.3;
  Integer bounces(start = 0, fixed = true);
  Real height = if activeState(fly) then fly.h else rest.h;
equation
  initialState(fly);
  transition(fly, fly, fly.h <= 0, priority = 2);
  transition(fly, rest, fly.h <= 0 and fly.v > -slow, 1);
  transition(rest, fly, time >= 3.25);
  when activeState(fly) then
    bounces = pre(bounces) + 1;
    reinit(fly.h, 0);
    reinit(fly.v, if time < 3 then -e*fly.v else 2.5);
  end when;
end Ball;
// t1 = (v + sqrt(v^2 + 2 g h))/g, then 2 e^k sqrt(v^2 + 2 g h)/g each
// expect height(0.2) = 1.2558 +- 1e-9
// expect rest.h(0.2) = 7 +- 0
// expect event 1 at 0.5719389504431236 +- 1e-9
// expect bounces(1.0) = 1 +- 0
// expect event 2 at 1.2293185802871942 +- 1e-9
// expect event 3 at 1.636893950790518 +- 1e-9
// expect event 4 at 1.8895906805025788 +- 1e-9
// expect bounces(2.5) = 3 +- 0
// expect height(2.5) = 0 +- 0
// expect fly.v(2.5) = -1.239477459237658 +- 1e-9
// expect event 5 at 3.25 +- 0
// expect fly.h(3.45) = 0.3038 +- 1e-9
// expect bounces(3.5) = 4 +- 0
// expect events 5
