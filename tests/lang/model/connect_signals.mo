// expect: ok
type Mood = enumeration(calm, wild);
record Vec
  Real x, y;
end Vec;
type Level = Real(min = 0);
connector In = input Level;
connector InMood = input Mood;
connector Moving = Vec;
connector Out
  extends Real(unit = "m");
end Out;
model Source
  Out y;
  Moving v;
  InMood m;
  Out pair[2];
equation
  y = 3*time;
  v.x = time;
  v.y = 2;
  pair = {time, 4};
end Source;
model Sink
  In u;
  Moving v;
  InMood m;
  In pair[2];
end Sink;
model Signals "connectors that are numbers, literals or records, of one's own and of components"
  Source a;
  Sink b;
  Out own;
  InMood mood = if time < 0.5 then Mood.calm else Mood.wild;
equation
  connect(a.y, b.u);
  connect(a.v, b.v);
  connect(mood, a.m);
  connect(mood, b.m);
  connect(a.pair, b.pair);
  connect(a.pair[2], own);
end Signals;
// expect b.u(0.5) = 1.5 +- 1e-12
// expect b.v.x(0.25) = 0.25 +- 1e-12
// expect b.v.y(0.25) = 2
// expect b.m(0.25) = 1
// expect b.m(0.75) = 2
// expect b.pair[1](0.25) = 0.25 +- 1e-12
// expect own(0.25) = 4
