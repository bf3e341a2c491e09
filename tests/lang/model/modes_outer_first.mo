// expect: ok
// A machine and the one around it, due together: the outer one moves.  It leads to itself,
// too, and the inner one begins anew; what is in it holds its values.
model Both
  model S Real t(start = 0, fixed = true); equation der(t) = 1; end S;
  model Outer
    S a, b; Integer n(start = 0, fixed = true), ins(start=0,fixed=true), k(start=0,fixed=true);
    Real age(start = 0, fixed = true); Real lag = delay(a.t, 0.2);
  equation
    der(age) = 1;
    initialState(a);
    transition(a, b, age >= 0.5);
    when activeState(b) then ins = pre(ins) + 1; end when;
    when sample(0.1, 0.2) then n = pre(n) + 1; end when;
    when activeState(a) then k = pre(k) + 1; end when;
  end Outer;
  Outer o; S off; Integer enter(start=0,fixed=true);
equation
  initialState(o);
  transition(o, off, o.age >= 0.5 and time < 1);
  transition(off, o, off.t >= 0.3);
  transition(o, o, o.age >= 1.25);
  when activeState(o) then reinit(o.age, if time < 1 then 0.25 else 0); enter = pre(enter)+1; end when;
end Both;
// stop 3
// expect event 3 at 0.5 +- 1e-12
// expect event 4 at 0.5 +- 1e-12
// expect o.ins(0.7) = 0
// expect event 5 at 0.8 +- 1e-12
// expect event 7 at 1.05 +- 1e-12
// expect event 12 at 1.8 +- 1e-12
// expect event 15 at 2.3 +- 1e-12
// expect events 19
// expect o.lag(0.85) = 0.5 +- 1e-12
// expect o.lag(1.15) = 0.65 +- 1e-12
// expect o.a.t(2) = 0.95 +- 1e-12
// expect o.b.t(3) = 1.45 +- 1e-12
// expect o.n(3) = 14
// expect o.ins(3) = 2
// expect o.k(3) = 0
