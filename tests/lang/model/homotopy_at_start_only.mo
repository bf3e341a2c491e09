// expect: ok
model HomotopyAtStartOnly "events and entries of the run read the actual argument alone"
  Real x(start = 2.2, fixed = true), p(start = 3);
  discrete Real d(start = 0);
equation
  homotopy(actual = p^3 - 3.1*p, simplified = p - 2) = 0.9*(if d > 0.5 then -x else x);
  der(x) = -x;
  when x < 1.3 then
    d = homotopy(1, 0);
  end when;
  when {initial(), time > 2} then
    assert(homotopy(x, 1e6) < 5, "the simplified value has been read");
  end when;
end HomotopyAtStartOnly;
// stop 1
// expect d(1) = 1
// expect p(0) = 2.01995536558954749 +- 1e-12
// expect p(1) = 1.62873609479910333 +- 1e-7
