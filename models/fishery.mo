// A stock of fish that grows by Gompertz's law and is caught at a constant rate.  At most
// r K/e grows back; whoever takes more meets the end of the stock in finite time, and
// there the logarithm ends too.  Nothing but the if-expression says so.  Time is in years.
model Fishery "Gompertz growth with a catch that the stock cannot bear"
  parameter Real r(unit = "1/a") = 0.8 "rate of growth";
  parameter Real K(unit = "kt") = 5 "what the water can carry";
  parameter Real catch(unit = "kt/a") = 1.6 "more than r*K/e = 1.47";
  Real x(unit = "kt", start = 4, fixed = true) "stock";
  Real growth(unit = "kt/a") = if x > 0 then r*x*log(K/x) else 0 "what grows back";
equation
  der(x) = growth - (if x > 0 then catch else 0);
  annotation(experiment(StopTime = 30), __brink(timeUnit = "a"));
end Fishery;
