// The axis of a car on a bumpy road, in a plane: two springs carry the ends of an axle, the
// left wheel stands still, the right one goes up and down.  A mechanical system with two
// constraints, index 3, of the IVP test set (Mazzia and Magherini).
model CarAxis "axle of a car on two springs: index 3"
  parameter Real L(unit = "m") = 1 "length of the axle, distance of the wheels";
  parameter Real L0(unit = "m") = 0.5 "length of a spring at rest";
  parameter Real eps = 1e-2 "square root of the ratio of inertia to stiffness";
  parameter Real M(unit = "kg") = 10 "mass of the body";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real r(unit = "m") = 0.1 "height of a bump";
  parameter Real omega(unit = "rad/s") = 10 "of the bumps";
  Real xl(unit = "m", start = 0) "left end of the axle";
  Real yl(unit = "m", start = L0) "left end of the axle, height";
  Real xr(unit = "m", start = L) "right end of the axle";
  Real yr(unit = "m", start = L0) "right end of the axle, height";
  Real lambda1(start = 0) "force that keeps the left spring across the line of the wheels";
  Real lambda2(start = 0) "force in the axle";
  Real vxl(unit = "m/s", start = -L0, fixed = true) = der(xl) "velocity";
  Real vyl(unit = "m/s", start = 0) = der(yl) "velocity";
  Real vxr(unit = "m/s", start = -L0) = der(xr) "velocity";
  Real vyr(unit = "m/s", start = 0) = der(yr) "velocity";
protected
  parameter Real K = M*eps^2/2 "inertia of one end";
  Real yb = r*sin(omega*time) "right wheel, height";
  Real xb = sqrt(L^2 - yb^2) "right wheel";
  Real Ll = sqrt(xl^2 + yl^2) "length of the left spring";
  Real Lr = sqrt((xr - xb)^2 + (yr - yb)^2) "length of the right spring";
equation
  K*der(vxl) = (L0 - Ll)*xl/Ll + lambda1*xb + 2*lambda2*(xl - xr);
  K*der(vyl) = (L0 - Ll)*yl/Ll + lambda1*yb + 2*lambda2*(yl - yr) - K*g;
  K*der(vxr) = (L0 - Lr)*(xr - xb)/Lr - 2*lambda2*(xl - xr);
  K*der(vyr) = (L0 - Lr)*(yr - yb)/Lr - 2*lambda2*(yl - yr) - K*g;
  xl*xb + yl*yb = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
  annotation(experiment(StopTime = 3));
end CarAxis;
