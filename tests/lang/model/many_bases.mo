// a base class that is inherited four to the tenth times is refused, not counted
package A0
  constant Real c = 1;
end A0;
package A1 extends A0; extends A0; extends A0; extends A0; end A1;
package A2 extends A1; extends A1; extends A1; extends A1; end A2;
package A3 extends A2; extends A2; extends A2; extends A2; end A3;
package A4 extends A3; extends A3; extends A3; extends A3; end A4;
package A5 extends A4; extends A4; extends A4; extends A4; end A5;
package A6 extends A5; extends A5; extends A5; extends A5; end A6;
package A7 extends A6; extends A6; extends A6; extends A6; end A7;
package A8 extends A7; extends A7; extends A7; extends A7; end A8;
package A9 extends A8; extends A8; extends A8; extends A8; end A9;
package A extends A9; extends A9; extends A9; extends A9; end A;
model Many
  Real x = A.c; // expect error at 2:1: reading this model takes more than 1000000 steps
end Many;
