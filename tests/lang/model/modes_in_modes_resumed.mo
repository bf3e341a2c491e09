// expect: ok
// A machine in a mode, interrupted: it goes on where it was.  Its guards are lines and a sine.
model Washing
  model Phase
    parameter Real last; Real t(start = 0, fixed = true);
  equation
    der(t) = 1;
  end Phase;
  model Wash
    Phase soak(last = 0.4), spin(last = 0.25);
    Real heat(start = 0.1, fixed = true);
    Integer turns(start = 0, fixed = true);
  equation
    der(heat) = if activeState(soak) then 1 else -0.3;
    initialState(soak);
    transition(soak, spin, soak.t > soak.last, reset = true);
    transition(spin, soak, spin.t > spin.last, reset = true);
    when activeState(spin) then turns = pre(turns) + 1; end when;
  end Wash;
  model Pause
    Real t(start = 0);
  equation
    der(t) = 1;
  end Pause;
  parameter Boolean resume = false;
  Wash wash; Pause pause;
equation
  initialState(wash);
  transition(wash, pause, sin(2.3*time) < -0.55, reset = true);
  transition(pause, wash, pause.t > 0.5, reset = if resume then false else true);
end Washing;
// set resume=true
// stop 6
// expect event 9 at 2.7 +- 1e-9
// expect event 15 at 4.35093139071223 +- 1e-9
// expect events 20
// expect wash.heat(6) = 2.15 +- 1e-9
// expect wash.soak.t(6) = 0.1 +- 1e-9
// expect wash.turns(6) = 6
