// expect: ok
// A thermostat and a tank side by side: what each does alone it does here.  The last
// part is one machine in each element of an array of components.
model Heat
  input Real q;
  parameter Real k = 0.31;
  Real T(start = 18.3, fixed = true);
equation
  der(T) = -k*(T - 12.5) + q;
end Heat;
model Idle
  parameter Real k = 0.31;
  Real T;
equation
  der(T) = -k*(T - 12.5);
end Idle;
model Tank "a tank with a valve: two modes"
  model Fill
    parameter Real a;
    Real h(start = 0.2, fixed = true), used(start = 0, fixed = true);
  equation
    der(h) = a - 0.17*h;
    der(used) = a;
  end Fill;
  model Drain
    Real h;
  equation
    der(h) = -0.17*h;
  end Drain;
  parameter Real a = 0.35;
  Fill fill(a = a);
  Drain drain;
  Real level = if activeState(fill) then fill.h else drain.h;
equation
  initialState(fill);
  transition(fill, drain, fill.h > 0.9);
  transition(drain, fill, drain.h < 0.43);
  when activeState(fill) then
    reinit(fill.h, drain.h);
  elsewhen activeState(drain) then
    reinit(drain.h, fill.h);
  end when;
end Tank;
model Both
  Heat heat(q = 4.2);
  Idle idle;
  Tank tank[2](a = {0.35, 0.29});
  Real T = if activeState(heat) then heat.T else idle.T;
  Integer switches(start = 0, fixed = true);
equation
  initialState(heat);
  transition(heat, idle, heat.T > 21);
  transition(idle, heat, idle.T < 19);
  when activeState(idle) then
    reinit(idle.T, heat.T);
  end when;
  when activeState(heat) then
    reinit(heat.T, idle.T);
    switches = pre(switches) + 1;
  end when;
end Both;
// each machine alone in closed form
// expect event 1 at 1.3819867731150817 +- 1e-8
// expect event 2 at 2.2473544718075957 +- 1e-8
// expect event 3 at 2.7796381461701385 +- 1e-8
// expect event 4 at 3.3239028735993279 +- 1e-8
// expect event 5 at 3.6776265803025749 +- 1e-8
// expect event 6 at 4.189270572291842 +- 1e-8
// expect event 7 at 5.2658189740835741 +- 1e-8
// expect event 8 at 6.1311866727760886 +- 1e-8
// expect event 9 at 7.1244002322683899 +- 1e-8
// expect event 10 at 7.2077350745678208 +- 1e-8
// expect event 11 at 8.0223886664008255 +- 1e-8
// expect event 12 at 8.0731027732603344 +- 1e-8
// expect T(9) = 20.760278336239658 +- 1e-8
// expect tank[1].level(9) = 0.87469624712855687 +- 1e-8
// expect tank[2].level(9) = 0.62536057296873748 +- 1e-8
// expect tank[1].fill.used(9) = 1.629333269865612 +- 1e-8
// expect tank[2].fill.used(9) = 1.3500189950315074 +- 1e-8
// expect switches(9) = 4 +- 0
// expect events 12
