model BadDotted
  model Cell
    Real h(start = 0.5, fixed = true);
  equation
    der(h) = -h;
  end Cell;
  Cell a(h.strat = 1);  // expect error: 'strat' is no attribute of 'h'; did you mean 'start'?
end BadDotted;
