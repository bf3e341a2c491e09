model 3 // expect error at 1:7: the name of the class expected near '3'
  Real x;
equation
  x = ; // expect error: an expression expected near ';'
end m;
model when // expect error: the name of the class expected near 'when', which is a keyword
  Real y;
end when;
