/* switches_flows.c -- hidden switches of what flows, heats, fires and grows: tanks,
 * valves, thermostats, nerves, genes, foods. */
#include "switches_parts.h"

#include <math.h>

/* a level that fills faster above a height */
SWITCH(drain) { return y[0] - 0.5; }
FLOW(drain) { f[0] = cos(1.3 * t) + (s[0] ? 0.3 : 0) - 0.1; }

/* two tanks; the valve of the second opens by the level of the first */
SWITCH(tank) { return y[0] - 0.6; }
FLOW(tank)
{
  f[0] = 0.3 + 0.2 * sin(0.7 * t) - 0.4 * sqrt(y[0]);
  f[1] = 0.4 * sqrt(y[0]) - (0.35 + 0.1 * sign(s[0])) * sqrt(y[1]);
}

/* three tanks with two valves by level */
SWITCH(tanks) { return k ? y[2] - 0.71 : y[1] - 0.53; }
FLOW(tanks)
{
  double q1 = 0.51 * sqrt(fmax(y[0], 0)),
         q2 = (s[0] ? 0.57 : 0.45) * sqrt(fmax(y[1], 0));
  f[0] = 0.33 + 0.37 * sin(0.61 * t) + (s[1] ? 0 : 0.16) - q1;
  f[1] = q1 - q2;
  f[2] = q2 - 0.43 * sqrt(fmax(y[2], 0));
}

/* two basins that overflow */
SWITCH(rims) { return k ? y[1] - 0.5 : y[0] - 1; }
FLOW(rims)
{
  double over = s[0] ? 4 * (y[0] - 1) : 0, out = s[1] ? 0.9 * (y[1] - 0.5) : 0;
  f[0] = 0.5 + 0.9 * sin(0.6 * t) - 0.3 * y[0] - over;
  f[1] = over + 0.1 * cos(t) - out - 0.2 * y[1];
}

/* an overflow that grows with the square of the height */
SWITCH(weir) { return y[0] - 1.03; }
FLOW(weir)
{
  double over = s[0] ? 2.9 * (y[0] - 1.03) * (y[0] - 1.03) : 0;
  f[0] = 0.6 + 0.95 * sin(0.77 * t) - 0.46 * y[0] - over;
  f[1] = over - 0.35 * y[1];
}

/* a pump of two speeds, and a float that closes the inlet bit by bit */
SWITCH(pump) { return k ? y[1] - 0.67 : y[0] - 0.91; }
FLOW(pump)
{
  f[0] = 0.9 + 0.5 * sin(1.3 * t) - (s[1] ? 1.7 * (y[1] - 0.67) : 0) - 0.7 * y[0];
  f[1] = 0.7 * y[0] - (s[0] ? 0.83 : 0.47) + 0.1 * cos(0.6 * t) - 0.05 * y[1];
}

/* an integrator between stiff walls, and a filter */
SWITCH(walls) { return at(y[0], 0.87, k); }
FLOW(walls)
{
  f[0] = 1.1 * cos(0.97 * t + 0.1) + 0.3 * sin(2.3 * t) - 17 * dead(y[0], 0.87, s);
  f[1] = 1.9 * (y[0] - y[1]);
}

/* a thermostat: heater, room, sensor in degrees */
SWITCH(thermostat) { return y[2] - 20.7; }
FLOW(thermostat)
{
  f[0] = (s[0] ? 0 : 71.3) - 0.83 * (y[0] - y[1]);
  f[1] = 0.41 * (y[0] - y[1]) - 0.52 * (y[1] - 7.9 - 3.1 * sin(0.26 * t));
  f[2] = 2.1 * (y[1] - y[2]);
}

/* two rooms, two thermostats that lag behind */
SWITCH(rooms) { return k ? y[5] - 1.93 : y[4] - 2.11; }
FLOW(rooms)
{
  f[0] = (s[0] ? 0 : 6.7) - 1.1 * y[0];
  f[1] = 0.9 * (y[0] - y[1]) - 0.33 * (y[1] - y[3]) - 0.2 * (y[1] - sin(0.31 * t));
  f[2] = (s[1] ? 0 : 5.9) - 0.9 * y[2];
  f[3] = 1.2 * (y[2] - y[3]) + 0.33 * (y[1] - y[3]) - 0.4 * y[3];
  f[4] = 2.3 * (y[1] - y[4]);
  f[5] = 1.9 * (y[3] - y[5]);
}

/* a loop of two arms whose flow reverses: heat goes with |q| */
SWITCH(loop) { return y[0]; }
FLOW(loop)
{
  double q = sign(s[0]) * y[0];
  f[0] = -0.6 * y[0] * q - 0.1 * y[0] + 1.1 * (y[1] - y[2]) + 1.3 * sin(0.83 * t);
  f[1] = q * (y[2] - y[1]) + 0.4 - 0.3 * y[1];
  f[2] = q * (y[1] - y[2]) - 0.5 * (y[2] - 0.2);
}

/* four cells of a fluid that flows both ways */
SWITCH(upwind) { return 0.3 + 1.4 * sin(0.89 * t) + 0.4 * cos(2.3 * t); }
FLOW(upwind)
{
  double q = 0.3 + 1.4 * sin(0.89 * t) + 0.4 * cos(2.3 * t);
  if (s[0]) {
    f[0] = q * (3.1 - y[0]);
    f[1] = q * (y[0] - y[1]);
    f[2] = q * (y[1] - y[2]);
    f[3] = q * (y[2] - y[3]);
  } else {
    f[0] = q * (y[0] - y[1]);
    f[1] = q * (y[1] - y[2]);
    f[2] = q * (y[2] - y[3]);
    f[3] = q * (y[3] - 0.7);
  }
  f[1] -= 0.05 * y[1];
}

/* a ventricle with two valves */
static double pressure(double t, const double *y)
{
  double e = sin(2.9 * t);
  return (0.4 + 2.1 * e * e) * (y[0] - 0.3);
}
SWITCH(heart) { return k ? pressure(t, y) - y[1] : y[2] - pressure(t, y); }
FLOW(heart)
{
  double p = pressure(t, y), in = s[0] ? (y[2] - p) / 0.09 : 0,
         out = s[1] ? (p - y[1]) / 0.13 : 0, r = (y[1] - y[2]) / 1.1;
  f[0] = in - out;
  f[1] = (out - r) / 1.3;
  f[2] = (r - in) / 2.9;
}

/* Liebig's law of the minimum: the scarcer of two foods counts */
static double feed_a(const double *y) { return y[0] / (0.31 + y[0]); }
static double feed_b(const double *y) { return y[1] / (0.17 + y[1]); }
SWITCH(liebig) { return 0.17 * y[0] - 0.31 * y[1]; }
FLOW(liebig)
{
  double mu = 1.3 * (s[0] ? feed_b(y) : feed_a(y));
  f[0] = 0.47 * (1.1 + 0.7 * sin(0.81 * t) - y[0]) - 0.9 * mu * y[2];
  f[1] = 0.47 * (0.8 - 0.5 * sin(1.13 * t) - y[1]) - 0.6 * mu * y[2];
  f[2] = (mu - 0.47) * y[2];
}

/* predators and prey, prey harvested above a number */
SWITCH(harvest) { return y[0] - 1.37; }
FLOW(harvest)
{
  f[0] = y[0] * (1.1 - 0.003 * y[0] - 0.9 * y[1]) - (s[0] ? 0.09 * y[0] : 0);
  f[1] = y[1] * (0.63 * y[0] - 0.71);
}

/* an epidemic: fewer contacts while the wards are reported full */
SWITCH(wards) { return y[3] - 0.041; }
FLOW(wards)
{
  double b = (s[0] ? 0.61 : 1.9) * (1 + 0.1 * cos(0.4 * t)), i = b * y[0] * y[1];
  f[0] = -i + 0.13 * (1 - y[0] - y[1]);
  f[1] = i - 0.57 * y[1];
  f[2] = 0.31 * y[1] - 0.67 * y[2];
  f[3] = 0.41 * (y[2] - y[3]);
}

/* a ring of three genes that repress each other */
SWITCH(genes) { return y[k] - (k == 0 ? 0.43 : k == 1 ? 0.51 : 0.37); }
FLOW(genes)
{
  f[0] = (s[2] ? 0.05 : 1.31) - 1.1 * y[0];
  f[1] = (s[0] ? 0.03 : 0.97) - 0.8 * y[1];
  f[2] = (s[1] ? 0.02 : 1.12) - 0.93 * y[2];
}

/* a ring of four genes, one of them by daylight */
SWITCH(genes4) { return y[k] - 0.31 - 0.05 * k; }
FLOW(genes4)
{
  double day = 0.9 + 0.4 * sin(0.7 * t);
  f[0] = (s[3] ? 0.1 : 1.2) * day - 1.3 * y[0];
  f[1] = (s[0] ? 0.9 : 0.05) - 0.9 * y[1];
  f[2] = (s[1] ? 1.1 : 0.1) - 1.05 * y[2];
  f[3] = (s[2] ? 1.3 : 0.02) - 1.2 * y[3];
}

/* McKean's neuron */
SWITCH(mckean) { return y[0] - 0.23; }
FLOW(mckean)
{
  f[0] = 5.3 * (-y[0] + (s[0] ? 1 : 0) - y[1] + 0.37 + 0.47 * sin(0.9 * t));
  f[1] = 0.53 * (y[0] - 0.31 * y[1]);
}

/* FitzHugh and Nagumo's neuron with a current that adapts above a threshold */
SWITCH(adapt) { return y[0] - 0.47; }
FLOW(adapt)
{
  f[0] = y[0] - y[0] * y[0] * y[0] / 3 - y[1] - y[2] + 0.62 + 0.2 * sin(1.1 * t);
  f[1] = 0.31 * (y[0] + 0.7 - 0.8 * y[1]);
  f[2] = (s[0] ? 0.19 : 0) - 0.29 * y[2];
}

/* clang-format off */
const switched switches_flows[] = {
    {"drain", ORDINARY, 1, 1, drain_g, drain_f, 0, 20, {0.1}},
    {"tank", ORDINARY, 2, 1, tank_g, tank_f, 0, 60, {0.31, 0.83}},
    {"three tanks", ORDINARY, 3, 2, tanks_g, tanks_f, 1.91, 61.7, {0.37, 0.41, 0.63}},
    {"rims", ORDINARY, 2, 2, rims_g, rims_f, 0, 30, {0.6, 0.4}},
    {"weir", SMOOTHER, 2, 1, weir_g, weir_f, 0.57, 37.3, {0.53, 0.19}},
    {"pump", ORDINARY, 2, 2, pump_g, pump_f, 0.23, 41.9, {0.71, 0.49}},
    {"soft walls", ORDINARY, 2, 2, walls_g, walls_f, 0.57, 29.3, {0.31, 0.07}},
    {"thermostat", ORDINARY, 3, 1, thermostat_g, thermostat_f, 2.3, 27.1,
     {31.7, 17.3, 16.9}},
    {"two rooms", ORDINARY, 6, 2, rooms_g, rooms_f, 0.71, 21.3,
     {1.3, 0.9, 2.1, 0.7, 0.8, 0.9}},
    {"heat loop", ORDINARY, 3, 1, loop_g, loop_f, 0.87, 37.9, {0.37, 0.51, 0.13}},
    {"upwind", ORDINARY, 4, 1, upwind_g, upwind_f, 0.63, 31.3, {1.3, 0.9, 2.1, 1.7}},
    {"heart", ORDINARY, 3, 2, heart_g, heart_f, 0.09, 9.7, {1.1, 1.3, 0.57}},
    {"liebig", ORDINARY, 3, 1, liebig_g, liebig_f, 1.7, 43.1, {0.83, 0.31, 0.47}},
    {"harvest", ORDINARY, 2, 1, harvest_g, harvest_f, 0.17, 31.3, {0.41, 0.53}},
    {"wards", ORDINARY, 4, 1, wards_g, wards_f, 0.29, 77.3,
     {0.83, 0.017, 0.005, 0.003}},
    {"gene ring", ORDINARY, 3, 3, genes_g, genes_f, 0.97, 19.7, {0.13, 0.91, 0.27}},
    {"gene day", ORDINARY, 4, 4, genes4_g, genes4_f, 0.47, 23.3,
     {0.57, 0.11, 0.23, 0.71}},
    {"mckean", ORDINARY, 2, 1, mckean_g, mckean_f, 0.59, 31.1, {-0.13, 0.07}},
    {"adaptation", ORDINARY, 3, 1, adapt_g, adapt_f, 0.33, 61.3, {-0.71, 0.11, 0.05}},
    {.name = 0},
};
/* clang-format on */
