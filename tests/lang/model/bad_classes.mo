model A
  parameter Real k = 1;
  final parameter Real f = 2;
  Real x = k;
end A;
partial model B
end B;
model C
  C c; // expect error: the class 'C' contains itself
end C;
model D
  extends E;
end D;
model E
  extends D; // expect error: the class 'D' extends itself
end E;
package P
  Real z;
end P;
model Bad
  A a(kk = 3); // expect error: 'A' has no component 'kk' to modify; did you mean 'k'?
  A b(f = 3); // expect error: 'b.f' is final; it cannot be modified
  B c; // expect error: 'B' is partial: it can be extended, not be the type of a component
  C d;
  E e;
  P p; // expect error: 'P' is a package, not a type
  Real x, x; // expect error: 'x' is declared twice, first in line 27
  Real y = a.z; // expect error: 'a' has no component 'z'
  Real z = P.z; // expect error: 'z' of the class 'P' is no constant: only constants can be used without a component
end Bad;
