// expect: ok
package Signals
  type Light = enumeration(green, yellow, red);
end Signals;
function next
  input Signals.Light now;
  output Signals.Light then_;
algorithm
  then_ := if now == Signals.Light.red then Signals.Light.green
    else Signals.Light(Integer(now) + 1);
end next;
model Crossing
  type Lamp = Signals.Light;
  parameter Integer first = 2;
  constant Integer third = 3;
  Lamp fixed_ = Lamp(third), begin = Lamp(first), row[3] = Lamp({2, 3, 1});
  Integer i(start = 1, fixed = true), back[3] = Integer(row);
  Lamp light(start = Lamp(1), fixed = true), other, late;
equation
  when sample(0.5, 0.5) then
    i = mod(pre(i), 3) + 1;
    light = Signals.Light(i);
  end when;
  other = Lamp(4 - i);
algorithm
  late := Lamp.green;
  for k in 1:3 loop
    if time > k then
      late := Lamp(k);
    end if;
  end for;
algorithm
  when time >= 1.75 then
    turned := next(light);
  end when;
public
  Lamp turned(start = Lamp.yellow, fixed = true);
end Crossing;
// expect fixed_(0) = 3
// expect begin(0) = 2
// expect row[2](0) = 3
// expect back[3](0) = 1
// expect light(0.7) = 2
// expect other(0.7) = 2
// expect light(1.2) = 3
// expect other(1.2) = 1
// expect late(2.5) = 2
// expect turned(1.5) = 2
// expect turned(1.8) = 2
// expect turned(3.5) = 2
