// expect: ok
// Guards with derivatives that the equations determine (x''), and with higher ones that are computed
// for the guards alone (lambda', lambda'', y''')
model Guards
  Real x, y(start = 5), lambda;
  discrete Real t1(start = 0), t2(start = 0), t3(start = 0), t4(start = 0);
initial equation
  x = 10*sin(1);
  der(x) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y + 9.8;
  x^2 + y^2 = 100;
  when der(lambda) > 0.7 then
    t1 = time;
  end when;
  when der(der(der(y))) > 6 then
    t2 = time;
  end when;
  when der(der(x)) > 5 then
    t3 = time;
  end when;
  when der(der(lambda)) > 1.5 then
    t4 = time;
  end when;
end Guards;
// the angle by Taylor series at 30 digits; lambda' = -3*G/L*sin(phi)*phi'
// expect events 7
// expect event 1 at 0.35995076725576560652 +- 1e-8
// expect event 2 at 1.8339412564653675663 +- 1e-8
// expect event 3 at 2.0002371726741519204 +- 1e-8
// expect event 4 at 2.8986574028248656089 +- 1e-8
// expect event 5 at 3.6611898171962285441 +- 1e-8
// expect t1(6) = 3.74394950015661638 +- 1e-8
// expect t2(6) = 5.2179399893662183398 +- 1e-8
// expect x(6) = 6.9146742666286747866 +- 1e-7
