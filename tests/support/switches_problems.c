/* switches_problems.c -- problems with switches: relays, limits, dry friction, stops,
 * tanks, thermostats, populations.  Jumps first, then kinks. */
#include "switches_parts.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* a relay in feedback round a disturbed mass */
SWITCH(relay) { return y[0] - 0.01 * y[1]; }
FLOW(relay)
{
  f[0] = y[1];
  f[1] = -1.7 * sign(s[0]) - 0.2 * y[1] + 0.3 * sin(1.3 * t);
}

/* a relay round a third-order plant */
SWITCH(third) { return y[0] - 0.037; }
FLOW(third)
{
  f[0] = y[1];
  f[1] = y[2];
  f[2] = -3.1 * y[2] - 2.9 * y[1] - 0.87 * y[0] - 4.3 * sign(s[0]);
}

/* two relays that know nothing of each other */
SWITCH(relays) { return k ? y[2] - 0.05 * y[3] : y[0]; }
FLOW(relays)
{
  f[0] = y[1];
  f[1] = -y[0] - 0.4 * sign(s[0]) + 0.1 * y[2];
  f[2] = y[3];
  f[3] = -2.7 * y[2] - 0.6 * sign(s[1]) + 0.8 * sin(t);
}

/* an oscillator pushed by the clock */
SWITCH(clock) { return sin(1.9 * t + 0.4) - 0.17; }
FLOW(clock)
{
  f[0] = y[1];
  f[1] = -y[0] + (s[0] ? 1 : -0.5);
}

/* a square wave into a first-order lag */
SWITCH(wave) { return sin(2.3 * t) + 0.2; }
FLOW(wave) { f[0] = -y[0] + 2 * sign(s[0]) + 0.3 * cos(t); }

/* an oscillator under a limited force */
SWITCH(input) { return at(1.5 * sin(1.1 * t), 1, k); }
FLOW(input)
{
  f[0] = y[1];
  f[1] = -y[0] - 0.2 * y[1] + limited(1.5 * sin(1.1 * t), 1, s);
}

/* a motor under a limited controller with integral part */
static double volts(double t, const double *y)
{
  return 3 * (2 * sin(0.8 * t) - y[0]) + 2 * y[1];
}
SWITCH(motor) { return at(volts(t, y), 1, k); }
FLOW(motor)
{
  f[0] = -0.3 * y[0] + 1.2 * limited(volts(t, y), 1, s) - 0.4 * sin(y[2]);
  f[1] = 2 * sin(0.8 * t) - y[0] - 0.1 * y[1];
  f[2] = y[0];
}

/* a PI controller that stops integrating at its limit: f jumps and bends */
static double cond_error(double t, const double *y)
{
  return 2.3 * sin(0.93 * t) - y[0];
}
static double cond_volts(double t, const double *y)
{
  return 4.1 * cond_error(t, y) + 1.2 * y[2];
}
SWITCH(condint) { return at(cond_volts(t, y), 1.9, k); }
FLOW(condint)
{
  f[0] = y[1];
  f[1] = -1.7 * y[1] - 0.6 * y[0] + limited(cond_volts(t, y), 1.9, s);
  f[2] = s[0] || !s[1] ? 0 : 0.45 * cond_error(t, y);
}

/* bang-bang control by a switching line */
SWITCH(bang) { return y[0] + 0.061 * y[1]; }
FLOW(bang)
{
  f[0] = y[1];
  f[1] = -1.83 * sign(s[0]) + 0.11 * sin(3.3 * t);
}

/* a satellite: thrusters with a dead band */
SWITCH(satellite) { return at(y[0] + 0.13 * y[1], 0.29, k); }
FLOW(satellite)
{
  f[0] = y[1];
  f[1] = (s[0] ? -1.47 : s[1] ? 0 : 1.47) + 0.23 * sin(0.77 * t);
}

/* gains that change at two speeds */
SWITCH(schedule) { return k ? y[0] - 0.57 : y[0] - 1.49; }
FLOW(schedule)
{
  double r = 1.07 + 0.93 * sin(0.73 * t), k = s[0] ? 1.1 : s[1] ? 1.9 : 3.1;
  f[0] = y[1];
  f[1] = -1.6 * y[1] - 0.4 * y[0] + k * (r - y[0]) + 0.5 * y[2];
  f[2] = 0.6 * (r - y[0]) - 0.1 * y[2];
}

/* a pendulum under a triangle wave */
static double ramps(double ph, int rising)
{
  return rising ? remainder(ph, 2 * PI) : -remainder(ph - PI, 2 * PI);
}
SWITCH(triangle) { return cos(1.47 * t - 0.4); }
FLOW(triangle)
{
  f[0] = y[1];
  f[1] = -2.1 * sin(y[0]) - 0.3 * y[1] + 0.71 * ramps(1.47 * t - 0.4, s[0]);
}

/* an oscillator under a sawtooth */
SWITCH(saw) { return sin(PI * (t / 1.31 + 0.23)); }
FLOW(saw)
{
  double x = t / 1.31 + 0.23,
         j = s[0] ? 2 * nearbyint((x - 0.5) / 2) : 2 * nearbyint((x - 1.5) / 2) + 1;
  f[0] = y[1];
  f[1] = -3.3 * y[0] - 0.41 * y[1] + 2.7 * (x - j) - 0.9;
}

/* a full-wave rectifier into a filter */
SWITCH(rectifier) { return sin(2.37 * t + 0.6); }
FLOW(rectifier)
{
  f[0] = (3.1 * sign(s[0]) * sin(2.37 * t + 0.6) - 0.2 * y[0] - y[1]) / 0.7;
  f[1] = (y[0] - y[1] / 1.9) / 0.9;
}

/* Chua's circuit */
SWITCH(chua) { return at(y[0], 1, k); }
FLOW(chua)
{
  f[0] = 9 * (y[1] - y[0] + 0.714 * y[0] + 0.429 * limited(y[0], 1, s));
  f[1] = y[0] - y[1] + y[2];
  f[2] = -14.286 * y[1];
}

/* x'' = -sign x: parabolas from zero to zero */
FLOW(parabola)
{
  f[0] = y[1];
  f[1] = -sign(s[0]);
}

/* dry friction */
SWITCH(second) { return y[1]; }
FLOW(friction)
{
  f[0] = y[1];
  f[1] = -y[0] - 0.15 * sign(s[0]);
}

/* Stribeck's friction under a strong drive */
FLOW(stribeck)
{
  double v = sign(s[0]) * y[1];
  f[0] = y[1];
  f[1] = -1.9 * y[0] - sign(s[0]) * (0.34 + 0.29 * exp(-v / 0.43)) - 0.09 * y[1] +
         3.9 * sin(1.71 * t + 0.5);
}

/* a mass on a belt, slipping both ways */
SWITCH(belt) { return y[1] - 0.39; }
FLOW(belt)
{
  double v = y[1] - 0.39;
  f[0] = y[1];
  f[1] = -3.7 * y[0] - sign(s[0]) * (0.21 + 0.17 / (1 + 1.9 * sign(s[0]) * v)) -
         0.02 * y[1];
}

/* a clutch that slips both ways */
SWITCH(clutch) { return y[0] - y[1]; }
FLOW(clutch)
{
  double q = 0.37 * sign(s[0]) + 0.05 * (y[0] - y[1]);
  f[0] = 3.3 * sin(1.57 * t) - 0.2 * y[0] - q;
  f[1] = 0.6 * q - 0.5 * y[1] - 0.9 * y[2];
  f[2] = y[1];
}

/* a spring with another stiffness on either side */
SWITCH(first) { return y[0]; }
FLOW(bend)
{
  f[0] = y[1];
  f[1] = -y[0] - 0.5 * sign(s[0]) * y[0];
}

/* a spring that yields */
SWITCH(spring) { return at(y[0], 1, k); }
FLOW(spring)
{
  f[0] = y[1];
  f[1] = -4 * limited(y[0], 1, s) - 0.05 * y[1];
}

/* a ball on a floor that gives, with a damper */
FLOW(damped)
{
  f[0] = y[1];
  f[1] = -9.81 - (s[0] ? 0 : 400 * y[0] + 3 * y[1]);
}

/* stops with dampers on both sides, not alike */
SWITCH(stops) { return k ? y[0] + 0.61 : y[0] - 0.43; }
FLOW(stops)
{
  double wall = s[0] ? 83 * (y[0] - 0.43) + 1.7 * y[1] : 0;
  if (!s[1])
    wall = 57 * (y[0] + 0.61) + 1.1 * y[1];
  f[0] = y[1];
  f[1] = -0.9 * y[0] - 0.08 * y[1] + 2.2 * sin(1.93 * t) - wall;
}

/* a gear with play */
SWITCH(gear) { return at(y[0] - y[2], 0.1, k); }
FLOW(gear)
{
  double push = 20 * dead(y[0] - y[2], 0.1, s);
  f[0] = y[1];
  f[1] = 1.5 * sin(1.3 * t) - 0.2 * y[1] - push;
  f[2] = y[3];
  f[3] = -0.3 * y[3] - 1.1 * y[2] + 0.5 * push;
}

/* a gear with play and a damped contact: f jumps */
SWITCH(backlash) { return at(y[0] - y[2], 0.071, k); }
FLOW(backlash)
{
  double d = y[0] - y[2], v = y[1] - y[3];
  double push = 41 * dead(d, 0.071, s) + (s[0] || !s[1] ? 0.9 * v : 0);
  f[0] = y[1];
  f[1] = 2.3 * sin(1.71 * t + 0.2) - 0.31 * y[1] - 0.5 * y[0] - push;
  f[2] = y[3];
  f[3] = -0.23 * y[3] - 0.77 * y[2] + 0.61 * push;
}

/* a pendulum driven near the middle, damped outside */
SWITCH(escapement) { return at(y[0], 0.31, k); }
FLOW(escapement)
{
  int in = !s[0] && s[1];
  f[0] = y[1];
  f[1] = -3.9 * sin(y[0]) + (in ? 0.57 : -0.29) * y[1];
}

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

/* McKean's neuron */
SWITCH(mckean) { return y[0] - 0.23; }
FLOW(mckean)
{
  f[0] = 5.3 * (-y[0] + (s[0] ? 1 : 0) - y[1] + 0.37 + 0.47 * sin(0.9 * t));
  f[1] = 0.53 * (y[0] - 0.31 * y[1]);
}

/* clang-format off */
const switched switches[] = {
    {"relay", JUMPS, 2, 1, relay_g, relay_f, 0, 12, {1, 0.3}},
    {"relay third", JUMPS, 3, 1, third_g, third_f, 0.37, 23.1, {0.61, -0.13, 0.29}},
    {"two relays", JUMPS, 4, 2, relays_g, relays_f, 0, 12, {1, 0, 0.7, 0.3}},
    {"clock", JUMPS, 2, 1, clock_g, clock_f, 0, 12, {1, 0.2}},
    {"square wave", JUMPS, 1, 1, wave_g, wave_f, 0, 14, {0.3}},
    {"cond integral", JUMPS, 3, 2, condint_g, condint_f, 0.83, 27.7,
     {0.21, -0.1, 0.17}},
    {"switching line", JUMPS, 2, 1, bang_g, bang_f, 0.17, 19.1, {2.71, 0.43}},
    {"satellite", JUMPS, 2, 2, satellite_g, satellite_f, 0.69, 10.3, {1.31, 0.87}},
    {"gain schedule", JUMPS, 3, 2, schedule_g, schedule_f, 1.19, 39.7,
     {0.31, 0.27, 0.09}},
    {"sawtooth", JUMPS, 2, 1, saw_g, saw_f, 0.53, 20.9, {0.27, 0.61}},
    {"parabola", JUMPS, 2, 1, first_g, parabola_f, 0, 12, {1, 0.3}},
    {"friction", JUMPS, 2, 1, second_g, friction_f, 0, 19.3, {3, -1e-3}},
    {"stribeck", JUMPS, 2, 1, second_g, stribeck_f, 0.27, 19.9, {0.51, 0.77}},
    {"belt", JUMPS, 2, 1, belt_g, belt_f, 0.11, 11.3, {1.93, -0.37}},
    {"clutch", JUMPS, 3, 1, clutch_g, clutch_f, 0.51, 24.9, {0.13, 0.71, 0.37}},
    {"two stops", JUMPS, 2, 2, stops_g, stops_f, 0.43, 13.9, {0.05, 0.37}},
    {"escapement", JUMPS, 2, 2, escapement_g, escapement_f, 0.77, 19.9, {0.13, 0.41}},
    {"drain", JUMPS, 1, 1, drain_g, drain_f, 0, 20, {0.1}},
    {"tank", JUMPS, 2, 1, tank_g, tank_f, 0, 60, {0.31, 0.83}},
    {"three tanks", JUMPS, 3, 2, tanks_g, tanks_f, 1.91, 61.7, {0.37, 0.41, 0.63}},
    {"thermostat", JUMPS, 3, 1, thermostat_g, thermostat_f, 2.3, 27.1,
     {31.7, 17.3, 16.9}},
    {"two rooms", JUMPS, 6, 2, rooms_g, rooms_f, 0.71, 21.3,
     {1.3, 0.9, 2.1, 0.7, 0.8, 0.9}},
    {"harvest", JUMPS, 2, 1, harvest_g, harvest_f, 0.17, 31.3, {0.41, 0.53}},
    {"wards", JUMPS, 4, 1, wards_g, wards_f, 0.29, 77.3, {0.83, 0.017, 0.005, 0.003}},
    {"gene ring", JUMPS, 3, 3, genes_g, genes_f, 0.97, 19.7, {0.13, 0.91, 0.27}},
    {"mckean", JUMPS, 2, 1, mckean_g, mckean_f, 0.59, 31.1, {-0.13, 0.07}},
    {"damped floor", EXCURSIONS, 2, 1, first_g, damped_f, 0, 3, {0.7, 0}},
    {"backlash", EXCURSIONS, 4, 2, backlash_g, backlash_f, 0.29, 17.3,
     {0.11, 0.23, 0.02, -0.31}},
    {"limited input", KINKS, 2, 2, input_g, input_f, 0, 12, {0.3, 0.1}},
    {"limited motor", KINKS, 3, 2, motor_g, motor_f, 0, 25, {0, 0.2, 0.1}},
    {"triangle", KINKS, 2, 1, triangle_g, triangle_f, -0.43, 23.9, {0.41, -0.17}},
    {"rectifier", KINKS, 2, 1, rectifier_g, rectifier_f, 0.19, 17.3, {0.3, 0.4}},
    {"limited spring", KINKS, 2, 2, spring_g, spring_f, 0, 15, {2.3, 0}},
    {"bend", KINKS, 2, 1, first_g, bend_f, 0, 12, {1, 0}},
    {"play", KINKS, 4, 2, gear_g, gear_f, 0, 20, {0.2, 0, 0, 0.1}},
    {"rims", KINKS, 2, 2, rims_g, rims_f, 0, 30, {0.6, 0.4}},
    {"liebig", KINKS, 3, 1, liebig_g, liebig_f, 1.7, 43.1, {0.83, 0.31, 0.47}},
    {"Chua", KINKS, 3, 2, chua_g, chua_f, 0, 6, {0.7, 0, 0}},
    {0},
};
/* clang-format on */
