// expect: ok
model StairsOfTime "stairs of something linear in time step at known times, exactly"
  parameter Real T = 24, p = 0.1;
  discrete Real k(start = 1, fixed = true), t0(start = 0, fixed = true);
  Real saw = mod(time, T), clock = k*(time - t0), half = saw/2 - 1;
  Real down = floor(-time/p), up = ceil(time/0.7), whole = div(2.5 - time, 1), back = rem(time - 40, 3);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), edges(start = 0, fixed = true);
  Integer ticks = integer(clock), q(start = 0, fixed = true), off(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = saw;
  when saw < 12 then
    n = pre(n) + 1;
  end when;
  when half >= 5 then
    m = pre(m) + 1;
  end when;
  when change(ticks) then
    edges = pre(edges) + 1;
  end when;
  when time >= 10.5 then
    k = 3;
    t0 = 7;
  elsewhen time >= 20 then
    k = -0.5;
    t0 = 41;
  end when;
  when mod(time, p) < p/2 then
    q = pre(q) + 1;
    off = pre(off) + (if abs(q*p - time) > 1e-12 then 1 else 0);
  end when;
  annotation(experiment(StopTime = 240, Interval = 24));
end StairsOfTime;
// expect n(23.99) = 0
// expect n(24) = 1
// expect n(240) = 10
// expect m(240) = 10
// expect saw(240) = 0
// expect saw(0.3) = 0.3
// expect x(24) = 288 +- 1e-9
// expect down(0.25) = -3
// expect down(0.3) = -4
// expect up(0) = 1
// expect up(0.7) = 2
// expect up(4.9) = 8
// expect whole(0.5) = 1
// expect whole(2) = 0
// expect whole(3.5) = -1
// expect whole(4.4) = -1
// expect back(1) = -3
// expect back(3) = -1
// expect ticks(10) = 10
// expect ticks(10.5) = 10
// expect ticks(11) = 12
// expect ticks(19.75) = 38
// expect ticks(20) = 10
// expect ticks(39) = 0
// expect ticks(41) = -1
// expect edges(43) = 51
// expect q(100) = 1000
// expect q(240) = 2400
// expect off(240) = 0
