// expect: ok
model Expressions
  Real a = 1 + 2*3^2 - (-4)/(5 - 6), b = -x^2, c = +3, d = .5 + 1. + 1e3 + 1.5E-3 + 2e+1;
  Boolean p = not a > 1 and b <= 2 or c == 3 or not (d <> 4 or d >= 2);
  Real f = if p then 1 elseif not p then 2 else 3;
  Real g = if p then 1 else if not p then 2 else 3;
  Real h = (if p then 1 else 2)*3;
  String s = "a \"quoted\" string with \\ and \t tab
and a second line" + "more";
  Real i = noEvent(if x > 0 then sqrt(x) else 0) + smooth(0, abs(x)) + delay(x, 0.1);
  Real j = semiLinear(x, 1, 2) + homotopy(actual = x^2, simplified = x) + der(der(x));
  Integer n = integer(floor(2.5)) + div(7, 2) + mod(7, 2) + rem(7, 2) + Integer(Mode.on);
  Boolean q = initial() or terminal() or edge(p) or change(p) or sample(0, 1e-2);
  Real r = 2.*x;
  Integer 'a strange name, ain\'t it?' = 1;
  Real u = Modelica.Math.sin(2*Modelica.Constants.pi*time);
equation
  x = 3 "descr" + "iption" annotation(A = 1);
  0 = x + y "an equation with a constant on the left";
  assert(x > 0, "x must be positive");
  if p then
    x = 1;
  elseif q then
    x = 2;
    y = 3;
  else
    if q then
      x = 4;
    end if;
  end if;
end Expressions;
