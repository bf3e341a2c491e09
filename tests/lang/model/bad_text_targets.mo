record R
  Real x;
  String n = "q";
end R;
model Wrong
  parameter String s = "a", sa[2] = {"a", "b"};
  R r, ra[2];
  Real y;
equation
  when time > 1 then
    s = "b"; // expect error at 11:5: a String that a when or an algorithm sets must be a variable of its own, not a parameter, an element or a field
    sa = {"u", "v"}; // expect error at 12:5: a String that a when or an algorithm sets must be a variable of its own, not a parameter, an element or a field
    ra = {R(1, "a"), R(2, "b")}; // expect error at 13:5: a String that a when or an algorithm sets must be a variable of its own, not a parameter, an element or a field
  end when;
  y = 1;
algorithm
  r := R(1, "a"); // expect error at 17:3: a String that a when or an algorithm sets must be a variable of its own, not a parameter, an element or a field
end Wrong;
