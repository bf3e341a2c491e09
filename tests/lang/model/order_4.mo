// expect: ok
model Order4 "one variable, fourth order, and a guard with its third derivative"
  Real x;
  discrete Real t3(start = 0);
  Real a = der(der(x));
initial equation
  x = 1;
  der(x) = 1;
  der(der(x)) = -1;
  der(der(der(x))) = -4;
equation
  der(der(der(der(x)))) + 5*der(der(x)) + 4*x = 0;
  when der(der(der(x))) > 0 then
    t3 = time;
  end when;
end Order4;
// x = cos(t) + sin(2*t)/2
// expect event 1 at 0.7041202396898502936 +- 1e-8
// expect t3(1.7) = 0.7041202396898502936 +- 1e-8
// expect x(1.7) = -0.25661504530894034371 +- 1e-8
// expect a(1.7) = 0.63992669834918732259 +- 1e-8
