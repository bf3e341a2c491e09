// expect: ok
// Two machines whose conditions come late, and a branch of a delayed expression that
// exists while its mode sleeps; straight lines.
model Relays
  model Up
    parameter Real r;
    Real x(start = 0.3, fixed = true);
  equation
    der(x) = r;
  end Up;
  model Down
    Real x, w;
  equation
    der(x) = -1.1;
    w = delay(if x > 0.4 then x else 0.5*x, 0.2);
  end Down;
  model Relay
    parameter Real r, d;
    Up up(r = r);
    Down down;
    Real x = if activeState(up) then up.x else down.x;
    Real late = delay(x, d);
  equation
    initialState(up);
    transition(up, down, late > 1);
    transition(down, up, delay(x, 0.15) < 0.2);
    when activeState(down) then
      reinit(down.x, up.x);
    elsewhen activeState(up) then
      reinit(up.x, down.x);
    end when;
  end Relay;
  Relay a(r = 0.9, d = 0.25), b(r = 1.7, d = 0.4);
end Relays;
// stop 5
// expect event 1 at 0.81176470588235294 +- 1e-12
// expect event 3 at 1.02777777777777778 +- 1e-12
// expect event 7 at 2.10959595959595959 +- 1e-12
// expect event 8 at 2.3072192513368984 +- 1e-12
// expect event 16 at 4.7703208556149733 +- 1e-12
// expect events 16
// expect a.down.w(1.5) = 0.92555555555555556 +- 1e-12
// expect b.down.w(1.5) = 1.14294117647058824 +- 1e-12
// expect a.down.w(2.0) = 0.18777777777777778 +- 1e-12
// expect b.down.w(2.3) = 0.13147058823529412 +- 1e-12
// expect a.down.w(3.1) = 0.1275 +- 1e-12
// expect a.down.w(3.5) = 0.0175 +- 1e-12
// expect b.down.w(3.5) = 1.65235294117647059 +- 1e-12
// expect a.down.w(3.9) = 0.93 +- 1e-12
// expect b.down.w(4.7) = 0.16617647058823529 +- 1e-12
