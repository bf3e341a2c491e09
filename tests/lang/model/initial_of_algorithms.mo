// expect: ok
// an initial equation gives the left limit of what several whens of an algorithm set
model Heater
  Boolean heat;
  discrete Real switched;
  Real T;
initial equation
  T = 21;
  heat = false;
  switched = -1;
equation
  der(T) = (if heat then 6 else 0) - 0.25*(T - 10);
algorithm
  when T < 19 then
    heat := true;
    switched := time;
  end when;
  when T > 20 then
    heat := false;
    switched := time;
  end when;
end Heater;
// expect heat(0) = 0
// expect switched(0.1) = -1
// expect switched(0.9) = 0.80268278184860464509 +- 1e-8
// expect heat(0.9) = 1
