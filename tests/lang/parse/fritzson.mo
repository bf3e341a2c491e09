// expect: ok
// in the manner of the textbooks: hybrid, object-oriented, old and new habits mixed
package Fritzson
  import Modelica.SIunits.Voltage;
  constant Real PI = 3.141592653589793;

  model VanDerPol "Van der Pol oscillator model"
    Real x(start = 1) "Descriptive string for x"; // x starts at 1
    Real y(start = 1); /* y starts at 1 */
    parameter Real lambda = 0.3;
  equation
    der(x) = y; // This is the first equation
    der(y) = -x + lambda*(1 - x*x)*y; /* and the 2nd */
  end VanDerPol;

  connector Pin "pin of an electric component"
    Voltage v "Potential at the pin";
    flow Real i(unit = "A", quantity = "ElectricCurrent");
  end Pin;

  partial model TwoPin
    Pin p, n;
    Voltage v; Real i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end TwoPin;

  model Diode "ideal diode"
    extends TwoPin;
    Real s; Boolean off;
  equation
    off = s < 0;
    v = if off then s else 0;
    i = if off then 0 else s;
  end Diode;

  model VsourceAC "Sin-wave voltage source"
    extends TwoPin(v(start = 0.5));
    parameter Voltage VA = 220 "Amplitude"; parameter Real f(unit="Hz") = 50;
  equation
    v = VA*sin(2*PI*f*time);
  end VsourceAC;

  model Circuit
    VsourceAC AC(VA = 5);
    Diode d;
    TwoPin grid[3, 2](each i(start = 0));
  equation
    connect(AC.p, d.p);
    connect(d.n, AC.n);
    for k in 1:3 loop
      for m in 1:2 loop
        connect(grid[k, m].p, d.p);
      end for;
    end for;
  end Circuit;

  model WatchDog
    Boolean onEvent, offEvent, alarm(start = false);
    Boolean deadlineEvent;
    parameter Real t = 1, duration = 5;
    Real internalTime1, internalTime2, endTime;
  equation
    when onEvent then
      internalTime1 = time;
    end when;
    when initial() then
      internalTime2 = 0;
    elsewhen {onEvent, offEvent} then
      internalTime2 = time + duration;
    end when;
    deadlineEvent = edge(onEvent) and not pre(offEvent) or time >= pre(endTime);
  algorithm
    when {onEvent, pre(alarm)} then
      alarm := true;
    elsewhen offEvent then
      alarm := false;
    end when;
    assert(not alarm or time < 100,
      "too late: " + String(time, significantDigits = 3) + " s", level = AssertionLevel.error);
  end WatchDog;

  function polynomialEvaluator
    input Real a[:]; // array, size defined at run time
    input Real x;
    output Real y;
  protected
    Real xpower;
  algorithm
    y := 0;
    xpower := 1;
    for i in 1:size(a, 1) loop
      y := y + a[i]*xpower;
      xpower := xpower*x;
    end for;
  end polynomialEvaluator;

  model HeatRod "method of lines"
    parameter Integer n(min = 2) = 10; parameter Real L = 1, dx = L/n;
    Real T[n](each start = 300.0, each fixed = true), q[n + 1];
  equation
    q[1] = 0; q[end] = -(T[end] - 300)/dx;
    q[2:end - 1] = {-(T[i + 1] - T[i])/dx for i in 1:n - 1};
    der(T) = -(q[2:n + 1] .- q[1:n])/dx;
  end HeatRod;

  model Queue "discrete"
    type Light = enumeration(red "stop", amber, green "go");
    discrete Integer n(start = 0, fixed = true); Light light(start = Light.red, fixed = true);
    parameter Integer table[:, 3] = [1, 2, 3; 4, 5, 6];
  equation
    when sample(0, 1.5) then
      n = if pre(n) > 3 then 0 else pre(n) + 1;
      light = if pre(light) == Light.red then Light.green elseif pre(light) == Light.green
        then Light.amber else Light.red;
    end when;
  end Queue;
end Fritzson;
