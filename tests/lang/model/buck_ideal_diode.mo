// expect: ok
// A buck converter with an ideal switch and an ideal diode.  When the switch opens, the mode in which the
// diode blocks would break the current of the coil, by an impulse for which the diode cannot block: it
// conducts.  Where the current comes to zero (45 times, the first after 5e-4) the diode blocks.
model Buck
  parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 10, T = 2e-5, D = 0.4;
  Real iL(start = 0, fixed = true), vC(start = 0, fixed = true), vx, id, s;
  Boolean on, off;
equation
  on = mod(time, T) < D*T;
  off = s < 0;
  -vx = if off then s else 0;
  id = if off then 0 else s;
  0 = if on then Vin - vx else id - iL;
  L*der(iL) = vx - vC;
  C*der(vC) = iL - vC/R;
end Buck;
// stop 1.99e-3
// by the exponentials of both laws, 30 digits
// expect iL(0.0002) = 8.4256224513161968 +- 1e-6
// expect vC(0.0002) = 13.269111068240845 +- 1e-6
// expect vC(0.001) = 10.618153647161772 +- 1e-6
// expect events 244
