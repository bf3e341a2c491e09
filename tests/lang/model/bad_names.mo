model BadNames
  Real heigth, x;
  Raal y; // expect error at 3:3: type 'Raal' is not declared; did you mean 'Real'?
  Modelica.Units.SI.Lenght l; // expect error: 'Modelica.Units.SI.Lenght' is not known; did you mean 'Length'?
  Modelica.Blocks.Sources.Step s; // expect error: 'Modelica.Blocks.Sources.Step' is a class of the library, which is not supported; flatten the model first
equation
  x = height; // expect error at 7:7: variable 'height' is not declared; did you mean 'heigth'?
  x = foo(1); // expect error at 8:7: function 'foo' is not declared
  x = sine(1); // expect error at 9:7: function 'sine' is not declared; did you mean 'sin'?
  x = Modelica.Constants.pie; // expect error: 'Modelica.Constants.pie' is not known; did you mean 'pi'?
  x = Modelica.Math.Vectors.length({1, 2}); // expect error: 'Modelica.Math.Vectors.length' is a function of a library, which is not supported; flatten the model first
  x = y + 1;
  x = heigth.z; // expect error: 'heigth' has no components
end BadNames;
