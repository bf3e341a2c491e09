model World
  parameter Real g = 9.81;
end World;
model Light
  parameter Real k = 1;
end Light;
model Heavy
  parameter Real k = 2;
end Heavy;
partial model Base
  Real x(start = 1);
end Base;
model Ball
  outer World world; // expect error at 14:3: 'outer' is not supported; pass the value as a parameter or connect it
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Ball;
model Box
  replaceable model Content = Light constrainedby Light; // expect error at 20:3: 'replaceable' is not supported; use the class you mean directly, or flatten the model first
  replaceable Light spare; // expect error at 21:3: 'replaceable' is not supported; use the class you mean directly, or flatten the model first
  Content content;
end Box;
model Scopes
  inner World world; // expect error at 25:3: 'inner' is not supported; pass the value as a parameter or connect it
  Ball ball;
  Box a(redeclare model Content = Heavy); // expect error at 27:9: 'redeclare' is not supported; use the class you mean directly, or flatten the model first
  Box b(redeclare Heavy spare); // expect error at 28:9: 'redeclare' is not supported; use the class you mean directly, or flatten the model first
  redeclare Real y = 1; // expect error at 29:3: 'redeclare' is not supported; use the class you mean directly, or flatten the model first
  model extends Base // expect error at 30:3: a class extension ('extends' behind the class word) is not supported; write the class out under a new name
    parameter Real z = 1;
  end Base;
end Scopes;
