// a String of a function that is read before it has a value
function joined
  input Integer n;
  output String s;
algorithm
  for i in 1:n loop
    s := s + "x"; // expect error line 7: 's' has no value here
  end for;
end joined;
model StringWithoutValue
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  assert(x < 2, joined(3));
end StringWithoutValue;
