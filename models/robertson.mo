// Three reactions whose rates differ by nine orders of magnitude (Robertson 1966), over
// eleven decades of time.  Two events mark how far they are, as in the example of CVODE.
// A problem of the IVP test set; B is tiny all the time and has its own nominal value.
model Robertson "Robertson's reactions over eleven decades, with two roots"
  parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4 "rates";
  Real A(start = 1, fixed = true) "first species";
  Real B(start = 0, fixed = true, nominal = 1e-6) "second species, never above 4e-5";
  Real C(start = 0, fixed = true) "third species";
  Boolean formed(start = false, fixed = true) "a hundredth of C is there";
  Boolean used(start = false, fixed = true) "a ten-thousandth of A is left";
equation
  der(A) = -k1*A + k3*B*C;
  der(B) = k1*A - k3*B*C - k2*B^2;
  der(C) = k2*B^2;
  when C > 0.01 then
    formed = true;
  end when;
  when A < 1e-4 then
    used = true;
  end when;
  annotation(experiment(StopTime = 1e11));
end Robertson;
