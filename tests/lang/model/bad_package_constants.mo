package A
  constant Real g = 9.81;
  constant Real h = 2;
end A;
package B = A(k = 3); // expect error at 5:15: the package 'B' has no constant 'k' to modify
model BadConstants
  Real x = B.g;
end BadConstants;
