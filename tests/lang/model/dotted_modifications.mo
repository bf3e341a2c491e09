// expect: ok
model Dotted "modifications of attributes by dotted names"
  model Cell
    parameter Real k = 1;
    Real h(start = 0.5, fixed = true);
  equation
    der(h) = -k*h;
  end Cell;
  model Pair
    Cell a, b(h.start = 3);
  end Pair;
  Cell c(h.start = 2, k = 0);
  Cell d[3](h.start = {1.5, 2.5, 3.5}, each k = 0);
  Cell e[2](each h.start = 7.25, each k = 0);
  Pair p(a.h.start = 5, a.k = 0, b.k = 0);
end Dotted;
// expect c.h(0.3) = 2
// expect d[1].h(0.3) = 1.5
// expect d[3].h(0.3) = 3.5
// expect e[2].h(0.3) = 7.25
// expect p.a.h(0.3) = 5
// expect p.b.h(0.3) = 3
