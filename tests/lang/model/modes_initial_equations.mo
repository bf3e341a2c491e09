// expect: ok
// initial equations of the mode in which the run begins, and of one that is entered
model Begin
  model A
    parameter Real q;
    Real x(start = 0.7), y(start = 0.2);
  initial equation
    x^2 = q; // expect warning: initial equations of 'b' are never used, since no run begins in it; set its states when activeState(...) begins
    y = 1 + x;
  equation
    der(x) = 1;
    der(y) = -1;
  end A;
  A a(q = 0.64), b(q = 0.25);
equation
  initialState(a);
  transition(a, b, a.x > 1.3);
end Begin;
// expect event 1 at 0.5 +- 1e-9
// expect a.y(0.25) = 1.55 +- 1e-9
// expect b.x(0.75) = 0.95 +- 1e-9
// expect b.y(0.75) = -0.05 +- 1e-9
// expect events 1
