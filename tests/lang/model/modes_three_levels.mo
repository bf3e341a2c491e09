// expect: ok
// Machines in a mode and in a mode of that; the outer one waits until they have ended.
model Shifts
  model Tick
    parameter Real last = 1; Real t(start = 0, fixed = true);
  equation
    der(t) = 1;
  end Tick;
  model Deep
    Tick p(last = 0.11), q(last = 0.17); Real w(start = 0, fixed = true);
  equation
    der(w) = if activeState(p) then 2 else -1;
    initialState(p);
    transition(p, q, p.t > p.last, reset = true);
    transition(q, p, q.t > q.last, reset = true);
  end Deep;
  model Work
    Deep deep; Tick flat(last = 0.3), done;
    Tick a(last = 0.5), b(last = 0.45), c;
    Integer count(start = 0, fixed = true);
  equation
    initialState(deep);
    transition(deep, flat, deep.w > 0.35);
    transition(flat, done, flat.t > flat.last);
    initialState(a);
    transition(a, b, a.t > a.last);
    transition(b, c, b.t > b.last);
    when {activeState(b), activeState(c), activeState(done)} then count = pre(count) + 1; end when;
  end Work;
  Work work; Tick rest(last = 0.2);
equation
  initialState(work);
  transition(work, rest, work.count >= 0, synchronize = true, reset = true);
  transition(rest, work, rest.t > rest.last, reset = true);
end Shifts;
// w gains 0.05 in each 0.28: 0.35 is reached at 3*0.28 + 0.1
// stop 3
// expect event 3 at 0.39 +- 1e-12
// expect event 8 at 0.94 +- 1e-12
// expect event 9 at 0.95 +- 1e-12
// expect event 10 at 1.24 +- 1e-12
// expect event 11 at 1.24 +- 1e-12
// expect event 12 at 1.44 +- 1e-12
// expect event 24 at 2.88 +- 1e-12
// expect events 25
// expect work.count(1.3) = 3
// expect work.c.t(1.3) = 0.29 +- 1e-12
// expect work.deep.w(2.9) = 0.04 +- 1e-12
// expect work.a.t(3) = 0.12 +- 1e-12
// expect work.c.t(3) = 0 +- 0
// expect work.count(3) = 0
