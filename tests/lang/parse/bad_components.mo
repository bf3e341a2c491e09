model m
  parameter constant Real k = 1; // expect error: 'constant' contradicts an earlier prefix of this declaration
  parameter final Real k = 1; // expect error: 'final' must stand before 'parameter'
  input output Real x; // expect error: 'output' contradicts an earlier prefix of this declaration
  flow stream Real x; // expect error: 'stream' contradicts an earlier prefix of this declaration
  Real; // expect error: the name of the component expected near ';'
  Real x, ; // expect error: the name of the component expected near ';'
  Real x(start = 1; // expect error: ')' expected near ';'
  Real end; // expect error: the name of the component expected near 'end', which is a keyword
  import A.; // expect error: a name expected near ';'
end m;
