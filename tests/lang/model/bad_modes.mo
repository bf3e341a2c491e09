model Bad1
  model A
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end A;
  model B
    input Real u;
    Real x(start = 0, fixed = true);
    discrete Integer n(start = 0);
  equation
    der(x) = u;
    when x > 1 then
      n = 1;
    end when;
  end B;
  A a, b, c, d, e;
  A row[2];
  Real r;
  record R
    Real z;
  end R;
  R rec;
equation
  r = 1;
  rec.z = 2;
  transition(r, a, a.x > 1); // expect error: 'r' is no mode: only a component of a model or block can be one
  initialState(rec); // expect error: 'rec' is no mode: only a component of a model or block can be one
  initialState(nobody); // expect error: component 'nobody' is not declared
  transition(a, b, a.x); // expect error: the condition of a transition is a Real, but a Boolean is expected
  transition(a, b, noEvent(a.x > 1)); // expect error: the condition of a transition must make events; a relation in noEvent() makes none
  transition(a, b); // expect error: 'transition' needs 'condition'
  transition(a, b, a.x > 1, immediate = false); // expect error: 'immediate = false' needs a clock, which is not supported; without one a transition is taken when its condition holds
  transition(a, b, a.x > 1, priority = 0); // expect error: the priority of a transition is 0; it must be 1 or more
  transition(a, b, a.x > 1, urgent = true); // expect error: 'transition' takes from, to, a condition, and by name priority, immediate, reset, synchronize, each once
end Bad1;
