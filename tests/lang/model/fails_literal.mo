// expect: ok
model Climb
  type Floor = enumeration(ground, first, attic);
  Integer i(start = 1, fixed = true);
  Floor at = if time > 5 then Floor.attic else Floor(i);
equation
  when sample(0.5, 0.5) then
    i = pre(i) + 1;
  end when;
end Climb;
// expect at(1.2) = 3
// stop 3
// expect fails: assertion time > 5 or i >= 1 and i <= 3 (line 5) fails: i = 4 at t = 1.5: Floor(4) does not exist: there are 3 literals
