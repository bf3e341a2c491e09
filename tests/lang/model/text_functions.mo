// expect: ok
function name
  input Integer n;
  output String s;
algorithm
  if n < 1 then
    s := "none";
  elseif n == 1 then
    s := "one";
  else
    s := "many";
    if n > 5 then
      s := s + "+" + String(n);
    end if;
  end if;
end name;
function joined
  input String a[:];
  input String sep = ", ";
  output String s = "";
algorithm
  for i in 1:size(a, 1) loop
    s := s + (if i > 1 then sep else "") + a[i];
  end for;
end joined;
function labels
  input Integer n;
  output String s[n];
algorithm
  for i in 1:n loop
    s[i] := "x" + String(i);
    if mod(i, 2) == 0 then
      s[i] := "y";
    end if;
  end for;
end labels;
model Texts
  Integer n(start = 0, fixed = true);
  parameter String l[:] = labels(3), first = l[1] + "/" + name(1);
equation
  when sample(0.5, 0.5) then
    n = pre(n) + 3;
  end when;
  assert(n < 7, name(n) + ";" + name(n - 9) + ";" + first + ";" + joined(l) + ";" + joined({"p", name(n - 5)}, sep = "|%"));
end Texts;
// stop 2
// expect fails: assertion n < 7 (line 44) fails: n = 9 at t = 1.5: many+9;none;x1/one;x1, y, x3;p|%many
