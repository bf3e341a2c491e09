model Library
  Modelica.Blocks.Sources.Step step(height = 2); // expect error at 2:3: 'Modelica.Blocks.Sources.Step' is a class of the library, which is not supported; flatten the model first
  Modelica.Units.SI.Lenght l = 1; // expect error at 3:3: 'Modelica.Units.SI.Lenght' is not known; did you mean 'Length'?
  Real a = Modelica.Constants.pie; // expect error at 4:12: 'Modelica.Constants.pie' is not known; did you mean 'pi'?
  Real b = Modelica.Math.Vectors.length({3, 4}); // expect error at 5:12: 'Modelica.Math.Vectors.length' is a function of a library, which is not supported; flatten the model first
  Real d = Buildings.Utilities.Psychrometrics.Constants.k_mair; // expect error at 6:12: variable 'Buildings' is not declared
  import Modelica.Electrical.Analog.Basic.Resistor;
  Resistor r(R = 3); // expect error at 8:3: 'Modelica.Electrical.Analog.Basic.Resistor' is a class of the library, which is not supported; flatten the model first
equation
  connect(step.y, r.p);
end Library;
