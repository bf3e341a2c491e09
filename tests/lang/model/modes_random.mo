// expect: ok
// Clocks in machines of three levels, made at random; against a simulation that is exact but for
// rounding.  Several machines move at once, and outer ones before inner ones.
model F
  model M0
    Real x(start = 0.2383, fixed = true);
  equation
    der(x) = 0.9182;
  end M0;
  model M1
    Real x(start = 0.1944, fixed = true);
  equation
    der(x) = 2.1;
  end M1;
  M0 m0; M1 m1;
  model M2
    Real x(start = 0.1664, fixed = true);
  equation
    der(x) = 1.724;
  end M2;
  model M3
    Real x(start = 0.1075, fixed = true);
  equation
    der(x) = 1.3563;
  end M3;
  M2 m2; M3 m3;
  model M4
    Real x(start = 0.0175, fixed = true);
    model M6
      Real x(start = 0.1801, fixed = true);
    equation
      der(x) = 0.7796;
    end M6;
    model M7
      Real x(start = 0.2851, fixed = true);
    equation
      der(x) = 1.4443;
    end M7;
    model M8
      Real x(start = 0.202, fixed = true);
    equation
      der(x) = 1.3954;
    end M8;
    M6 m6; M7 m7; M8 m8;
    model M9
      Real x(start = 0.0272, fixed = true);
      model M11
        Real x(start = 0.0743, fixed = true);
      equation
        der(x) = 1.8793;
      end M11;
      model M12
        Real x(start = 0.1252, fixed = true);
      equation
        der(x) = 2.0636;
      end M12;
      model M13
        Real x(start = 0.1534, fixed = true);
      equation
        der(x) = 1.2595;
      end M13;
      M11 m11; M12 m12; M13 m13;
    equation
      der(x) = 1.9975;
      initialState(m11);
      transition(m11, m12, m11.x > 0.6521, priority = 1);
      transition(m12, m13, m12.x > 0.5327, priority = 1, reset = true);
      transition(m13, m11, m13.x > 1.2168, priority = 1, reset = true);
    end M9;
    model M10
      Real x(start = 0.0557, fixed = true);
    equation
      der(x) = 2.1317;
    end M10;
    M9 m9; M10 m10;
  equation
    der(x) = 1.7498;
    initialState(m6);
    transition(m6, m7, time > 0.3191, priority = 1, reset = false);
    transition(m7, m8, m7.x > 1.2289, priority = 1);
    transition(m8, m6, m8.x > 1.301, priority = 1, reset = true);
    initialState(m9);
    transition(m9, m10, m9.x > 1.2514 and not activeState(m10), priority = 3, reset = false);
    transition(m10, m9, m10.x > 1.2003, priority = 2, reset = true);
    transition(m10, m9, m10.x > 0.7592, priority = 2, reset = true);
  end M4;
  model M5
    Real x(start = 0.0348, fixed = true);
  equation
    der(x) = 2.4821;
  end M5;
  M4 m4; M5 m5;
  Real z(start = 0.1, fixed = true);
equation
  der(z) = (if activeState(m0) then 0.1 else 0) + (if activeState(m1) then 0.2 else 0) + (if activeState(m2) then 0.3 else 0) + (if activeState(m3) then 0.4 else 0) + (if activeState(m4) then 0.5 else 0) + (if activeState(m5) then 0.6 else 0) + (if activeState(m4.m6) then 0.7 else 0) + (if activeState(m4.m7) then 0.8 else 0) + (if activeState(m4.m8) then 0.9 else 0) + (if activeState(m4.m9) then 1.0 else 0) + (if activeState(m4.m10) then 1.1 else 0) + (if activeState(m4.m9.m11) then 1.2 else 0) + (if activeState(m4.m9.m12) then 1.3 else 0) + (if activeState(m4.m9.m13) then 1.4 else 0);
  initialState(m0);
  transition(m0, m1, m0.x > 0.6116, priority = 2, reset = true);
  transition(m1, m0, m1.x > 1.0061, priority = 2, reset = true);
  initialState(m3);
  transition(m2, m3, time > 2.8337, priority = 3, reset = true);
  transition(m3, m2, m3.x > 0.4952, priority = 1, reset = false);
  initialState(m4);
  transition(m4, m5, m4.x > 1.1601, priority = 2, reset = true);
  transition(m5, m4, m5.x > 0.7369, priority = 1);
  when activeState(m2) then reinit(m2.x, 0.1829 + 0.3862*m4.m7.x); end when;
  when activeState(m4.m9) then reinit(m4.m9.x, 0.183 + 0.1568*m4.m9.x); end when;
  when activeState(m4.m10) then reinit(m4.m10.x, 0.1052 + 0.4905*m3.x); end when;
  when activeState(m4.m9.m12) then reinit(m4.m9.m12.x, 0.2883 + 0.2993*m4.m8.x); end when;
  when activeState(m4.m9.m13) then reinit(m4.m9.m13.x, 0.1083 + 0.1243*m4.x); end when;
end F;
// stop 4
// expect event 1 at 0.285851212858512 +- 1e-10
// expect event 5 at 0.406556305815726 +- 1e-10
// expect event 9 at 0.935854228678757 +- 1e-10
// expect event 13 at 1.21871954433888 +- 1e-10
// expect event 17 at 1.50158485999901 +- 1e-10
// expect event 21 at 1.78445017565914 +- 1e-10
// expect event 25 at 2.06731549131926 +- 1e-10
// expect event 29 at 2.35018080697939 +- 1e-10
// expect event 33 at 2.63304612263952 +- 1e-10
// expect event 37 at 2.91591143829964 +- 1e-10
// expect event 41 at 3.17232046135814 +- 1e-10
// expect event 45 at 3.40540242571702 +- 1e-10
// expect event 49 at 3.4816420696199 +- 1e-10
// expect event 53 at 3.76450738528002 +- 1e-10
// expect event 57 at 3.97710485143405 +- 1e-10
// expect events 58
// expect m0.x(4) = 0.27006919047619 +- 1e-9
// expect m1.x(4) = 1.0061 +- 1e-9
// expect m2.x(4) = 0.479245069381519 +- 1e-9
// expect m3.x(4) = 0.13855269 +- 1e-9
// expect m4.x(4) = 1.1601 +- 1e-9
// expect m5.x(4) = 0.619316218996455 +- 1e-9
// expect m4.m6.x(4) = 0.42887036 +- 1e-9
// expect m4.m7.x(4) = 0.767335757072809 +- 1e-9
// expect m4.m8.x(4) = 0.202 +- 1e-9
// expect m4.m9.x(4) = 0.217030361988386 +- 1e-9
// expect m4.m10.x(4) = 0.433625437596458 +- 1e-9
// expect m4.m9.m11.x(4) = 0.6521 +- 1e-9
// expect m4.m9.m12.x(4) = 0.5327 +- 1e-9
// expect m4.m9.m13.x(4) = 0.469132238264396 +- 1e-9
// expect z(4) = 6.30826837920119 +- 1e-9
