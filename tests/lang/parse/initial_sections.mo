// expect: ok
model Initial
  Real x(start = 1);
  discrete Integer n(start = 0, fixed = true);
  input Real u;
  output Real y;
  Boolean b(quantity = "q", start = false);
initial equation
  der(x) = 0;
  pre(n) = 0;
initial algorithm
  y := 1;
algorithm
  when sample(0, 1) then
    n := pre(n) + 1;
    if n > 3 then
      reinit(x, 0);
    end if;
  end when;
equation
  der(x) = -x;
protected
  Real hidden = 3;
end Initial;
