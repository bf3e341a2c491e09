model Twins "a fault of a class is told once, however many components have it"
  model Half
    parameter Real k = 0.5;
    Real y;
  equation
    y = k*missing;  // expect error: variable 'missing' is not declared
    y = other + 1;  // expect error: variable 'other' is not declared
  end Half;
  Half a(k = 1.5), b(k = 2.5), c[3];
end Twins;
