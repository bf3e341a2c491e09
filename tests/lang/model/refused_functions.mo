partial function Shape
  input Real x;
  output Real y;
end Shape;
function area
  input Shape f;
  output Real a;
algorithm
  a := 0.5*(f(0) + f(1));
end area;
function square
  input Real x;
  output Real y;
algorithm
  y := x^2;
end square;
function slope = der(square, x); // expect error at 17:1: a partial derivative of a function is not supported; write the derivative as a function
class Table
  extends ExternalObject; // expect error at 19:3: an external object is not supported; write it as a function in Modelica
end Table;
model Functions
  Real a = area(square); // expect error at 22:12: a function as an argument is not supported; write a function that calls it directly
  Real b = area(function square()); // expect error at 23:17: a function as an argument is not supported; write a function that calls it directly
  Real c = slope(time);
  Table t;
end Functions;
