// expect: ok
// model P.Q.First
package P
  package Q
    model First
      Real x = 1.25;
    end First;
  end Q;
end P;
model Last
  Real y = 2;
end Last;
// expect flat: model First
// expect flat: eqn x = 1.25
