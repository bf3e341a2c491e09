// many ways around a circle are one fault, told at once
model D
  extends E;
end D;
model E
  extends D; // expect error at 6:11: the class 'D' extends itself
  extends D;
  extends D;
  extends D;
  extends D;
end E;
model Endless
  E e;
end Endless;
