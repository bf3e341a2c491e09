model m
  paramter Real k = 1; // expect error: ';' expected before 'k'; is 'paramter' meant to be 'parameter'?
  Real x;
equation
  wehn x > 0 then // expect error: '=' expected near 'x'; is 'wehn' meant to be 'when'?
    reinit(x, 1);
  end when;
  if x > 0 thn // expect error: 'then' expected near 'thn'; did you mean 'then'?
    x = 1;
  end if;
algorithm
  whlie x > 0 loop // expect error: ':=' expected near 'x'; is 'whlie' meant to be 'while'?
  end while;
end m;
