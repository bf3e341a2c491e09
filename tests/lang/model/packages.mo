// expect: ok
package P
  constant Real g = 9.81;
  package Inner
    constant Real twice = 2*g;
    model Base
      parameter Real k = 1;
      Real x(start = k, fixed = true);
    equation
      der(x) = -k*x;
    end Base;
  end Inner;
  type Length = Real(unit = "m");
end P;
model Use
  import P.Inner;
  import A = P.Inner.Base;
  import Modelica.Constants.*;
  import SI = Modelica.Units.SI;
  import P.{Length, g};
  extends Inner.Base(k = 3, x(start = 2));
  A a(k = Inner.twice/g);
  SI.Velocity v = 2*pi*P.g;
  Modelica.SIunits.Mass m = .P.Inner.twice;
  Length l = Modelica.Math.exp(1);
end Use;
// expect flat: parameter k = 3.0
// expect flat: var x: Real continuous start = 2.0 fixed
// expect flat: parameter a.k = 2.0
// expect flat: var v: Real continuous unit "m/s"
// expect flat: eqn m = 19.62
// expect flat: var l: Real continuous unit "m"
