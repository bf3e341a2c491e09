model BadTypes2
  Real x, y;
  Boolean b;
  discrete Real d;
  parameter Real p = x; // expect error: the parameter 'p' cannot depend on a variable
  constant Real c; // expect error: the constant 'c' has no value
  final parameter Real q = 1;
equation
  b = x == y; // expect error at 9:7: '==' of continuous Reals is never reached exactly; use < <= > or >=
  d = x; // expect error: the discrete variable 'd' cannot follow a continuous expression; use a when or a relation
  b = noEvent(x > 1); // expect error: the discrete variable 'b' cannot follow a continuous expression; use a when or a relation
  x = sqrt(b); // expect error at 12:7: 'sqrt' needs a number, not a Boolean
  x = sin(1, 2); // expect error at 13:7: 'sin' takes 1 argument, not 2
  x = der(d); // expect error at 14:7: 'der' needs something continuous; this changes at events only
  x = pre(y); // expect error at 15:7: 'pre' of the continuous variable 'y' has a meaning only inside a when
  q = 2; // expect error: the parameter 'q' cannot have an equation; give its value where it is declared
end BadTypes2;
