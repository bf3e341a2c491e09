// expect: ok
// A transition at the end of a domain decides what happens there; a loop that crosses
// the border of the modes; initial equations of the mode in which the run begins.
model Domain
  model Drain
    Real h(start = 0.5, min = 0) annotation(__brink(domain = true));
    Real q;
    input Real u;
  initial equation
    der(h) = -1.1;
  equation
    der(h) = -0.3 - q;
    q = sqrt(h) + 0.5*u;
  end Drain;
  model Empty
    Real t(start = 0), q = 0.2;
  initial equation
    t = 77; // expect warning: initial equations of 'empty' are never used, since no run begins in it; set its states when activeState(...) begins
  equation
    der(t) = 1;
  end Empty;
  Drain drain(u = u);
  Empty empty;
  Real u, sum(start = 0, fixed = true);
equation
  u = if activeState(drain) then 0.4*(drain.q - sqrt(drain.h)) else empty.q "0 while it drains";
  der(sum) = u;
  initialState(drain);
  transition(drain, empty, drain.h <= 0);
end Domain;
// sqrt(h) = 0.8 at the start; t = 2 (s - 0.3 log(1 + s/0.3))
// expect drain.h(0) = 0.64 +- 1e-9
// expect event 1 at 0.8204302095218435 +- 1e-8
// expect empty.t(1.5) = 0.6795697904781565 +- 1e-8
// expect sum(1.5) = 0.1359139580956313 +- 1e-8
// expect events 1
