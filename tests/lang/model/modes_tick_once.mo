// expect: ok
// a mode that is left at a tick and entered again at once: the tick was there
model Ticks
  model Count
    Integer n(start = 0, fixed = true);
    Real x(start = 0.3, fixed = true);
  equation
    der(x) = n;
    when sample(0.25, 0.25) then
      n = pre(n) + 1;
    end when;
  end Count;
  model Through
    Real y;
  equation
    y = 1;
  end Through;
  Count count;
  Through through;
  Integer gone(start = 0, fixed = true);
equation
  initialState(count);
  transition(count, through, count.n > 3 + gone);
  transition(through, count, through.y > 0.5);
  when activeState(through) then
    gone = pre(gone) + 1;
  end when;
end Ticks;
// stop 2.1
// expect gone(2.1) = 5
// expect count.n(1.1) = 4
// expect count.n(2.1) = 8
// expect count.x(2.1) = 8.1 +- 1e-12
