// expect: ok
// The bounces vanish in the rounding of two heights, not of one at zero.  Nine times the
// ball comes to rest on the plate, which throws it off again where the spring is
// relaxed; times and heights are those of the parabolas and cosines in forty digits.
model BouncesOnAPlate "a ball on a plate on a spring"
  parameter Real g = 9.81, e = 0.3;
  Real y1(start = 0.02, fixed = true), v1(start = 0, fixed = true);
  Real y2(start = 0.05, fixed = true), v2(start = 0, fixed = true);
equation
  der(y1) = v1;
  der(v1) = -200*y1 - g;
  der(y2) = v2;
  der(v2) = -g;
  when y2 <= y1 then
    reinit(v1, v1 + (1 + e)/3*(v2 - v1));
    reinit(v2, v2 - 2*(1 + e)/3*(v2 - v1));
  end when;
  annotation(__brink(method = "dopri5"));
end BouncesOnAPlate;
// stop 5
// expect event 5 at 0.219943620801749 +- 1e-7
// expect y1(5) = -0.0281190543681349 +- 2e-6
// expect y2(5) = -0.0267819528851314 +- 2e-6
