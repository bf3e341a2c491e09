// expect: ok
model Enumerations
  type Light = enumeration(green "go", yellow, red);
  Light light(start = Light.green, fixed = true);
  Integer n;
  Boolean late;
equation
  when sample(1, 1) then
    light = if pre(light) == Light.green then Light.yellow elseif pre(light) == Light.yellow
      then Light.red else Light.green;
  end when;
  n = Integer(light);
  late = light > Light.green;
end Enumerations;
// expect flat: var light: enumeration discrete start = 1 fixed of green, yellow, red
// expect flat: eqn n = Integer(light)
// expect flat: eqn late = light > 1
// expect n(2.5) = 3 +- 0
// expect n(3.5) = 1 +- 0
