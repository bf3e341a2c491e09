model BadReinit
  Real x, y;
equation
  der(x) = 1;
  y = 2*x;
  when x > 1 then
    reinit(y, 0); // expect error at 7:5: 'reinit' needs a state: der(y) appears nowhere
  end when;
end BadReinit;
