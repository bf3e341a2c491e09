package p
  expandable connector Bus // expect error: an expandable connector is not supported; declare its variables one by one
  end Bus;
  connector Fluid
    stream Real h; // expect error: a 'stream' variable is not supported; write the mixing equation out
  end Fluid;
  function sqr
    input Real x;
    output Real y;
  external "C" y = sqr(x) annotation(Library = "m"); // expect error at 10:3: an 'external' function is not supported; write it as an algorithm in Modelica
  end sqr;
  operator record Complex // expect error: operator overloading ('operator') is not supported; use a record and ordinary functions
    Real re, im;
    operator function '+' // expect error: operator overloading ('operator') is not supported; use a record and ordinary functions
    end '+';
    encapsulated operator 'constructor' // expect error: operator overloading ('operator') is not supported; use a record and ordinary functions
    end 'constructor';
  end Complex;
  function fx = der(f, x); // expect error: a partial derivative of a function is not supported; write the derivative as a function
  redeclare model extends M(x = 1)
  end M; // expect error at 20:13: a class extension ('extends' behind the class word) is not supported; write the class out under a new name
  impure function rnd // expect error: an impure function is not supported; use when sample(...) or a parameter
  end rnd;
end p;
