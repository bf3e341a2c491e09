// expect: ok
function label
  input Integer k;
  input String name = "valve";
  output String s;
algorithm
  s := name + " " + String(k, minimumLength = 3) + "|";
end label;
model Strings
  type Color = enumeration(red, green, blue);
  parameter String names[2] = {"a{1}", "b%"};
  constant String bar = "bar";
  discrete String state(start = "idle");
  String level;
  String all = names[2] + " " + level + ", " + String(c) + ", " + String(high) + ", was " + state;
  Real x(start = 1, fixed = true);
  Boolean high = x > 2;
  Color c = if high then Color.green else Color.blue;
equation
  der(x) = 1;
  level = if high then "high at " + String(x, significantDigits = 3) + bar else "low";
  when x > 1.5 then
    state = "busy";
  elsewhen x > 2.5 then
    state = "late";
  end when;
  assert(x < 2.25, all + "; " + label(7) + label(8, "pump") + String(x, format = "8.3f") +
    String(3, minimumLength = 4, leftJustified = false) + "5");
end Strings;
// stop 2
// expect fails: assertion x < 2.25 (line 27) fails: x = 2.25 at t = 1.25: b% high at 2.25bar, green, true, was busy; valve 7  |pump 8  |   2.250   35
