model Gain
  extends Modelica.Blocks.Interfaces.SISO; // expect error at 2:11: 'Modelica.Blocks.Interfaces.SISO' is a class of the library, which is not supported; flatten the model first
  parameter Real k = 2.5;
equation
  y = k*u;
end Gain;
model Library
  import Modelica.Blocks.Sources.*;
  Step step(height = 2); // expect error at 9:3: type 'Step' is not declared; if it is one of 'Modelica.Blocks.Sources', which is not supported, flatten the model first
  Gain gain(k = 3, unknown = 4);
  Real x = Modelica.Math.Matrices.det([1, 2; 3, 4.5]); // expect error at 11:12: 'Modelica.Math.Matrices.det' is a function of a library, which is not supported; flatten the model first
end Library;
