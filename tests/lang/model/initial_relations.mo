// expect: ok
// initial equations see relations and discrete variables as they are at the start
model InitialRelations
  Real level, drain, supply;
  Boolean low = level < 3, open, first = time <= 0, seen;
  Integer stage;
initial equation
  level = 2.5;
  drain = if level >= 2.5 then 0.75 else 7;
  supply = if low then 1.25 else -1;
  open = low;
  stage = if level > 2 then 3 else 4;
  seen = first;
equation
  der(level) = supply - drain;
  der(drain) = 0;
  der(supply) = 0;
  when level > 3.5 then
    open = not pre(open);
    stage = pre(stage) + 10;
    seen = first;
  end when;
end InitialRelations;
// expect drain(0) = 0.75
// expect supply(0) = 1.25
// expect open(1) = 1
// expect stage(1) = 3
// expect seen(1.5) = 1
// expect level(1.5) = 3.25 +- 1e-9
// expect open(2.5) = 0
// expect stage(2.5) = 13
// expect seen(2.5) = 0
