package p
  type E = enumeration(a, 1); // expect error: a literal's name expected near '1'
  expandable model m end m; // expect error: only a connector can be expandable
  partial Real x; // expect error: a class word (model, block, record, function ...) expected near 'Real'
  import A.{b; // expect error: '}' expected near ';'
  extends ; // expect error: a name expected near ';'
  model a = ; // expect error: a name expected near ';'
  end if; 
  annotation; // expect error: '(' expected near ';'
  Real x = (1 + 2 +
    3; // expect error: ')' expected (to close '(' at line 10) near ';'
end p;
