// expect: ok
within ModelicaByExample.Functions;
model SpeedMeasurement "Measure speed using sample and hold"
  extends BasicEquations.RotationalSMD.SecondOrderSystem;
  parameter Real sample_time(unit="s")=0.125;
  discrete Real omega1_measured;
equation
  when sample(0,sample_time) then
    omega1_measured = omega1;
  end when;
end SpeedMeasurement;

model Hysteresis "Thermostat with hysteresis"
  type HeatCapacitance=Real(unit="J/K");
  type Temperature=Real(unit="K");
  parameter Boolean use_T_in=false annotation(Evaluate=true, HideResult=true, choices(checkBox=true));
  parameter Temperature Tbar=60.0 "Desired temperature";
  Boolean heat(start=false) "Indicates whether heater is on";
  Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a port_a if use_T_in annotation (
    Placement(transformation(extent={{-10,-10},{10,10}},rotation=-90,origin={-100,0})));
protected
  HeatCapacitance c=.5 "not a leading digit";
equation
  when {heat and T > Tbar + 1, not heat and T < Tbar - 1} then
    heat = not pre(heat);
  end when;
  Q = if heat then 100 else 0 "heater" annotation (Dialog);
  c*der(T) = Q - h*(T - Tamb);
  annotation (Documentation(info="<html>
<p>Uses <b>heat</b> &amp; a \"dead band\"; see <a href=\"modelica://X\">X</a></p>
</html>", revisions=""), experiment(StopTime=10, __Dymola_Algorithm="Dassl"),
    Icon(coordinateSystem(extent={{-100,-100},{100,100}}), graphics={
      Polygon(points={{-80,90},{-88,68},{-72,68},{-80,90}}, lineColor={192,192,192}),
      Bitmap(extent={{-90,-10},{-10,70}}, fileName="modelica://X/y.png")}));
end Hysteresis;

function Line "Compute coordinates along a line"
  input Real x     "Independent variable";
  input Real p0[2] "Coordinates for one point on the line";
  input Real p1[:] = {1.0, 2.0} "Coordinates for another point on the line";
  output Real y    "Value of y at the specified x";
protected
  Real m = (p1[2]-p0[2])/(p1[1]-p0[1])    "Slope";
  Real b = (p0[2]-m*p0[1]) "Offset";
algorithm
  y := m*x+b;
  annotation(Inline=true, smoothOrder=2, inverse(x = LineInverse(y, p0, p1)));
end Line;

record Properties
  extends Modelica.Icons.Record;
  parameter String name = "steel";
  Real rho, cp = 4.2e3;
  Real state[2] = zeros(2);
end Properties;

package Constants
  final constant Real g_n(final unit="m/s2")=9.80665;
  constant Integer Integer_inf = 2147483647;
end Constants;
