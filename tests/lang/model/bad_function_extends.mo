record R
  Real x;
end R;
function f
  extends R; // expect error at 5:11: 'R' is not a function
end f;
function g
  input Real x;
  output Real y = 2*x;
end g;
function h
  extends g(z = 3); // expect error at 12:13: the function has no variable 'z' to modify
end h;
function k
  extends k;
end k; // expect error at 14:1: the class 'k' extends itself
model BadExtends
  Real a = f(1), b = h(1), c = k(1);
end BadExtends;
