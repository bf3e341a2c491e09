Real x; // expect error: a class (model, package, function ...) expected near 'Real'
modle a // expect error: 'model' expected near 'modle'; did you mean 'model'?
  Real x;
end a;
