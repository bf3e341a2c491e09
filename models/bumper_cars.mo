// The bumper cars of Esposito and Kumar (2007), example 3: twenty discs that drive in
// circles (or straight on) in a square box and bump into its walls and into each other.
// 80 walls and 190 pairs make 270 guards.  The paper prints neither the rule of the
// bumps nor the starts; both are chosen here.
//
//   brink run bumper_cars                        straight on
//   brink run bumper_cars --model TurningCars    each with its own rate of turn
package Cars
  function bump "change of velocity of the first of two equal cars that touch"
    input Real d[2] "from the second to the first";
    input Real u[2] "velocity of the first as the second sees it";
    input Real e "restitution";
    output Real dv[2];
  algorithm
    dv := -(1 + e)/2*(u*d)/(d*d)*d;
  end bump;

  partial model Box "cars in a box"
    parameter Integer n = 20 "number of cars";
    parameter Real L(unit = "m") = 10 "length of the box";
    parameter Real R(unit = "m") = 0.1 "radius of a car";
    parameter Real e = 0.9 "restitution of every bump";
    parameter Real from[:, 5] "where each begins: x, y, heading, speed, rate of turn";
    Real p[n, 2](each unit = "m", start = from[1:n, 1:2], each fixed = true)
      "centre of each car";
    Real v[n, 2](each unit = "m/s",
      start = {from[i, 4]*{cos(from[i, 3]), sin(from[i, 3])} for i in 1:n},
      each fixed = true) "velocity of each car";
  equation
    for i in 1:n loop
      der(p[i, :]) = v[i, :];
      der(v[i, :]) = from[i, 5]*{-v[i, 2], v[i, 1]};
      for k in 1:2 loop
        when p[i, k] <= R then
          reinit(v[i, k], -e*v[i, k]);
        end when;
        when p[i, k] >= L - R then
          reinit(v[i, k], -e*v[i, k]);
        end when;
      end for;
      for j in i + 1:n loop
        when (p[i, 1] - p[j, 1])^2 + (p[i, 2] - p[j, 2])^2 <= (2*R)^2 then
          reinit(v[i, :], v[i, :] + bump(p[i, :] - p[j, :], v[i, :] - v[j, :], e));
          reinit(v[j, :], v[j, :] - bump(p[i, :] - p[j, :], v[i, :] - v[j, :], e));
        end when;
      end for;
    end for;
  end Box;
end Cars;

model TurningCars "twenty bumper cars that drive in circles"
  extends Cars.Box(from = [
     3.870861,  9.056429,  1.728711,  1.469585,  0.219749;
     7.087945,  5.887926,  0.615124,  1.394827,  0.210937;
     1.904168,  1.903951, -1.910196,  0.588493, -0.227386;
     1.022753,  8.295585, -0.699461,   0.82533, -0.114325;
     5.910035,  6.872653, -0.900045,  1.328738, -0.109533;
      0.68526,  9.229189,  -2.25614,  1.042696,  0.151098;
     7.991984,  2.411052,  3.059201,  0.574551,  0.136122;
      3.23818,  5.222808, -3.106896,  0.698716,  0.157731;
     4.387505,  3.121062,  1.438894,  1.206857,  0.135635;
     6.006676,  1.755445, -0.889286,  0.574045, -0.192065;
     3.129302,  3.797257,  0.774705,  1.363103, -0.084551;
      4.60463,  7.566584, -1.187633,  0.563558, -0.087408;
     2.297064,   5.12811,  0.864299,  1.229606,  0.193606;
     5.831731,  0.918054,  -2.39016,  0.972215,  0.106622;
     9.190688,  7.775576,  0.385016,  1.260785,  0.135484;
     3.241524,  1.379049,  0.142835,  0.993796, -0.036229;
     6.658097,  4.461372, -2.463691,  0.525419, -0.234285;
     1.598344,  4.956592, -1.166436,   1.13641,  0.004285;
      2.82902,  6.462701, -1.575243,  1.407566, -0.044809;
     5.420393,   2.16369, -1.704011,  1.255551,  -0.21151]);
  annotation(experiment(StopTime = 100));
end TurningCars;

model BumperCars "twenty bumper cars in a box: 270 guards"
  extends Cars.Box(from = [
     3.870861,  9.056429,  1.728711,  1.469585,         0;
     7.087945,  5.887926,  2.480773,  1.439499,         0;
     1.904168,  1.903951,  2.650714,    1.0979,         0;
     1.022753,  8.295585, -1.910196,  0.588493,         0;
     5.910035,  6.872653, -1.097482,  0.545227,         0;
      0.68526,  9.229189, -1.436656,  0.888677,         0;
     7.991984,  2.411052, -0.900045,  1.328738,         0;
      3.23818,  5.222808,  0.268267,  0.780935,         0;
     4.387505,  3.121062,   1.89876,  0.640924,         0;
     6.006676,  1.755445,  3.059201,  0.574551,         0;
     3.129302,  3.797257, -1.893025,  1.272245,         0;
      4.60463,  7.566584,  1.982103,  0.505522,         0;
     2.297064,   5.12811,  1.438894,  1.206857,         0;
     5.831731,  0.918054, -2.676356,   1.27127,         0;
     9.190688,  7.775576, -2.413566,  0.858466,         0;
     3.241524,  1.379049,  0.774705,  1.363103,         0;
     6.658097,  4.461372, -2.742244,  0.830898,         0;
     1.598344,  4.956592, -1.098406,  0.810982,         0;
      2.82902,  6.462701,  0.864299,  1.229606,         0;
     5.420393,   2.16369, -0.174579,  1.387213,         0]);
  annotation(experiment(StopTime = 100));
end BumperCars;
