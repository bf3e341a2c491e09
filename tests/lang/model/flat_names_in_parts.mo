// expect: ok
model Part
  Real port.v(start = 1, fixed = true);
  parameter Real port.k = 1;
equation
  der(port.v) = -port.k*port.v;
end Part;
model Fast
  extends Part(port.k = 3);
  Real port.w = 2*port.v;
end Fast;
model Plant
  Part part(port.k = 2, port(v(start = 3)));
  Fast fast;
end Plant;
// expect part.port.v(1) = 0.406005849709838 +- 1e-8
// expect fast.port.w(1) = 0.0995741367357279 +- 1e-8
