// expect: ok
// Tiller, Modelica by Example: the ball that comes to rest
model StableBouncingBall
  import Modelica.Constants.eps;
  type Height=Real(unit="m");
  type Velocity=Real(unit="m/s");
  parameter Real e=0.8;
  parameter Height h0=1.0;
  constant Velocity small=1e-3;
  Height h;
  Velocity v;
  Boolean done;
initial equation
  h = h0;
  v = 0;
  done = false;
equation
  der(h) = v;
  der(v) = if done then 0 else -9.81;
  when {h<0 and v<0, h<-eps} then
    done = abs(v)<small;
    reinit(v, -e*(if done then 0 else pre(v)));
  end when;
end StableBouncingBall;
// expect flat: var done: Boolean discrete
// expect flat: eqn der(v) = if done then 0 else -9.81
// expect flat: relation h < -2.220446049250313e-16
// expect flat: counts vars 5 eqns 2 initial 3 relations 5 whens 1
// expect event 1 at 0.45152364098573 +- 1e-8
// stop 0.6
