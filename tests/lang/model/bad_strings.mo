model BadStrings
  String a; // expect error at 2:10: the String 'a' has no equation
  String b = b + "x"; // expect error at 3:10: the value of 'b' depends on itself
  String c[2], e[2]; // expect error at 4:10: the array of Strings 'c' has no equation; give all of it a value where it is declared
  discrete String d;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    d = String(x); // expect error at 10:16: 'x' is not known before the run; only constants and parameters can be used here
  end when;
  assert(x < 2, a);
  assert(x < 2, b);
  assert(x < 2, String(x, format = "5.2q")); // expect error at 14:36: the format '5.2q' is not supported; use [-][width][.digits] and one of g f e d
  assert(x < 2, String(x, significantDigits = 99)); // expect error at 15:17: 'String' writes at most 200 characters and 40 digits
  assert(x < 2, c[1]);
  when x > 0.75 then
    e = {"a", "b"}; // expect error at 18:5: the array of Strings 'e' cannot be set in a when or an algorithm; use one String for each element
  end when;
end BadStrings;
