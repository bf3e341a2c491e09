// expect: ok
model First
  Real y = 2;
end First;
package P
  model Second
    Real y = 3;
  end Second;
  function f
    input Real x;
  end f;
end P;
partial model Third
end Third;
// expect flat: model Second
