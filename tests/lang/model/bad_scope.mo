model Outer
  parameter Real g = 1;
  model Inner
    Real x = g; // expect error at 4:14: 'g' belongs to the enclosing class 'Outer', of which only constants are seen here; pass it by a modification
  end Inner;
  Inner i;
end Outer;
