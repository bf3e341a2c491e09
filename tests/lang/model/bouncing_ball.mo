// expect: ok
model BouncingBall "The 'classic' bouncing ball model"
  type Height=Real(unit="m");
  type Velocity=Real(unit="m/s");
  parameter Real e=0.8 "Coefficient of restitution";
  parameter Height h0=1.0 "Initial height";
  Height h "Height";
  Velocity v(start=0.0, fixed=true) "Velocity";
initial equation
  h = h0;
equation
  v = der(h);
  der(v) = -9.81;
  when h<0 then
    reinit(v, -e*pre(v));
  end when;
  annotation (experiment(StopTime=3));
end BouncingBall;
// expect flat: parameter e = 0.8 text "Coefficient of restitution"
// expect flat: parameter h0 = 1.0 unit "m" text "Initial height"
// expect flat: var h: Real continuous unit "m" text "Height"
// expect flat: var v: Real continuous start = 0.0 fixed unit "m/s" text "Velocity"
// expect flat: initial h = h0
// expect flat: eqn v = der(h)
// expect flat: eqn der(v) = -9.81
// expect flat: relation h < 0
// expect flat: when {h < 0}: reinit(v, -e*pre(v));
// expect flat: experiment nan 3 nan nan method "" locate "" zeno "" sliding ""
// expect event 1 at 0.45152364098573 +- 1e-9
// expect h(0.3) = 0.55855 +- 1e-9
// stop 0.6
