// expect: ok
// an assertion of a function counts where the function is called
function root
  input Real x;
  output Real y;
algorithm
  assert(x >= 0.25, "no root");
  y := sqrt(x);
end root;
model Where
  Real a = if time > 0.5 then root(time - 0.25) else 0;
  discrete Real b(start = 0, fixed = true), c(start = 0, fixed = true);
  Real x(start = 3, fixed = true);
initial equation
  assert(x > 2.5, "too small at the start");
equation
  der(x) = -1;
  when time > 0.75 then
    b = root(time - 0.5);
  end when;
algorithm
  when time > 0.7 then
    if time > 0.9 then
      c := root(-time);
    else
      c := root(time);
    end if;
  end when;
end Where;
// expect a(1) = 0.86602540378443864676 +- 1e-12
// expect b(1) = 0.5 +- 1e-9
// expect c(1) = 0.83666002653407554798 +- 1e-9
