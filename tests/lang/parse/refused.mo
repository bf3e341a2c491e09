package p
  model a
    inner Real g = 9.81; // expect error: 'inner' is not supported; pass the value as a parameter or connect it
    outer Real h; // expect error: 'outer' is not supported; pass the value as a parameter or connect it
    replaceable model R = S constrainedby T(x = 1) "c"; // expect error: 'replaceable' is not supported; use the class you mean directly, or flatten the model first
    redeclare Real x; // expect error: 'redeclare' is not supported; use the class you mean directly, or flatten the model first
    S s(redeclare model R = U(k = 1), x = 2); // expect error: 'redeclare' is not supported; use the class you mean directly, or flatten the model first
    Clock c = Clock(0.1); // expect error at 8:5: 'Clock' (clocked equations) is not supported; use when sample(start, interval) then
    // the value of a Clock is not looked at
  equation
    x = previous(x) + cardinality(y); // expect error at 11:9: 'previous' (clocked equations) is not supported; use 'pre' in a when sample(...)
    // expect error at 11:23: 'cardinality' is not supported; give the number of connections as a parameter
  end a;
end p;
