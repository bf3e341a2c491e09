// expect: ok
model ClassicModel "Tiller's second model"
  parameter Real alpha=0.1 "Reproduction rate of prey";
  parameter Real beta=0.02 "Mortality rate of predator per prey";
  parameter Real gamma=0.4 "Mortality rate of predator";
  parameter Real delta=0.02 "Reproduction rate of predator per prey";
  parameter Real x0=10 "Start value of prey population";
  parameter Real y0=10 "Start value of predator population";
  Real x(start=x0) "Prey population";
  Real y(start=y0) "Predator population";
equation
  der(x) = x*(alpha-beta*y);
  der(y) = y*(delta*x-gamma);
end ClassicModel;
model QuiescentModel "Find steady state solutions to Lotka-Volterra"
  extends ClassicModel(alpha = 0.2);
initial equation
  der(x) = 0;
  der(y) = 0;
end QuiescentModel;
// expect flat: parameter alpha = 0.2 text "Reproduction rate of prey"
// expect flat: var x: Real continuous start = x0 text "Prey population"
// expect flat: initial der(x) = 0.0
// expect x(0) = 20 +- 1e-8
// expect y(3) = 10 +- 1e-8
