// expect: ok
// a condition that becomes false is no event, in algorithms whose whens share variables too
model CountingSensor
  parameter Real window = 1.25;
  Real phi(start = 0.5, fixed = true), speed;
  Integer count;
equation
  der(phi) = 5;
algorithm
  when initial() then
    count := 0;
  end when;
  when sin(phi) > 0.25 then
    count := pre(count) + 1;
  end when;
  when sample(window, window) then
    speed := count/window;
    count := 0;
  end when;
end CountingSensor;
// expect event 1 at 1.2071731124643350 +- 1e-9
// expect events 6
// expect speed(1.5) = 0.8 +- 1e-12
// expect speed(3.75) = 0.8 +- 1e-12
// expect count(2.49) = 1
// stop 3.75
