// expect: ok
// a package made from another sees its own constants, also in what it inherits
package Earth
  constant Real g = 9.81;
  constant Real gs[2] = {g, 2*g};
  function weight
    input Real m;
    output Real w;
  algorithm
    w := m*g;
  end weight;
  model Fall
    Real v(start = 0, fixed = true);
  equation
    der(v) = -g;
  end Fall;
end Earth;
package Moon
  extends Earth(g = 1.62);
  model Double
    Fall a, b;
  end Double;
end Moon;
package Mars = Earth(g = 3.71);
model Planets
  Earth.Fall earth;
  Mars.Fall mars;
  Moon.Double moon;
  Real w[3] = {Earth.weight(2), Moon.weight(2), Mars.weight(2)};
  Real s = sum(Moon.gs);
end Planets;
// stop 1.5
// expect earth.v(1.5) = -14.715 +- 1e-9
// expect mars.v(1.5) = -5.565 +- 1e-9
// expect moon.b.v(1.5) = -2.43 +- 1e-9
// expect w[1](1) = 19.62 +- 1e-12
// expect w[2](1) = 3.24 +- 1e-12
// expect w[3](1) = 7.42 +- 1e-12
// expect s(1) = 4.86 +- 1e-12
