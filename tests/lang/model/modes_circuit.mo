// expect: ok
// Modes in an array, transitions in a for, connections inside of a mode.
model F
  connector Pin Real v; flow Real i; end Pin;
  model R Pin p, n; parameter Real r = 2; equation p.v - n.v = r*p.i; p.i + n.i = 0; end R;
  model G Pin p; equation p.v = 0; end G;
  model C Pin p; Real v(start = 5); parameter Real c = 0.5; equation p.v = v; c*der(v) = p.i; end C;
  model Circuit
    parameter Real r = 2;
    R res(r = r); C cap; G g;
  equation
    connect(cap.p, res.p); connect(res.n, g.p);
  end Circuit;
  parameter Integer n = 3;
  Circuit s[n](r = {1, 2, 4});
  Real level = sum(if activeState(s[i]) then s[i].cap.v else 0 for i in 1:n);
  Real rate = der(s[1].cap.v);
equation
  initialState(s[1]);
  for i in 1:n - 1 loop
    transition(s[i], s[i + 1], s[i].cap.v < 5/(i + 1));
    when activeState(s[i + 1]) then reinit(s[i + 1].cap.v, s[i].cap.v); end when;
  end for;
end F;
// v' = -2 v/r while active: t1 = log(2)/2, t2 = t1 + log(3/2)
// expect rate(0.2) = -6.7032004603563933 +- 1e-8
// expect event 1 at 0.34657359027997264 +- 1e-9
// expect event 2 at 0.7520386983881371 +- 1e-9
// expect rate(1) = 0 +- 0
// expect level(3) = 0.5416392838590002 +- 1e-9
// expect s[1].cap.v(3) = 2.5 +- 1e-9
// expect events 2
