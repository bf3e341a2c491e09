model m
  Real a = 3x; // expect error at 2:12: '3x' is neither a number nor a name
  Real b = 99999999999999999999; // expect error: the Integer is too large; write a Real with a point or an exponent
  Real c = 1e999; // expect error: the number is too large: the largest Real is about 1.8e308
  Real $d; // expect error at 5:8: stray character '$'
  Real é = 1; // expect error at 6:8: a character that is not ASCII can stand in comments, strings and quoted names only
  String s = "é\q"; // expect error at 7:16: '\q' is no escape sequence; a backslash is written '\\'
  // expect error at 9:8: the quoted name is not closed: ' expected before the end of the line
  Real 'abc;
  Real ''; // expect error: a quoted name is empty
  Real y = 1;
end m;
