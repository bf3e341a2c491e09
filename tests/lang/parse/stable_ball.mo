// expect: ok
within Examples.Discrete;
model StableBouncingBall
  "The 'classic' bouncing ball model with numerical tolerances"
  type Height=Real(unit="m");
  parameter Real e=0.8 "Coefficient of restitution";
  constant Real eps=1e-3 "Small height";
  Boolean done "Flag when to turn off gravity";
  Height h;
  Real v(start=0.0, fixed=true), a;
initial equation
  h = 1.0;
  done = false;
equation
  v = der(h);
  der(v) = if done then 0 else -9.81;
  when {h<0 and v<0,h<-eps} then
    done = h<-eps;
    reinit(h, 0);
    reinit(v, -e*(if h<-eps then 0 else pre(v)));
  end when;
  a = der(v);
  when h <= 0 then
    terminate("ground");
  elsewhen sample(0, 0.1) then
    terminate("clock");
  end when annotation(__brink(side = "before", locate = "extrapolate"));
end StableBouncingBall;
