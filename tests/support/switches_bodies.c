/* switches_bodies.c -- hidden switches of bodies that move: friction, springs,
 * contacts, play, tyres, drag. */
#include "switches_parts.h"

#include <math.h>

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

/* dry friction against a moving base */
SWITCH(slip) { return y[1] - 0.7 * sin(1.1 * t); }
FLOW(slip)
{
  f[0] = y[1];
  f[1] = -5 * y[0] - 0.3 * sign(s[0]) + 2 * cos(2.1 * t);
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

/* a spring that hardens, forced */
SWITCH(harden) { return at(y[0], 0.73, k); }
FLOW(harden)
{
  f[0] = y[1];
  f[1] = -1.1 * y[0] - 6.3 * dead(y[0], 0.73, s) - 0.17 * y[1] + 1.07 * cos(1.37 * t);
}

/* a ball on a floor that gives; with a damper f jumps there too */
FLOW(floor)
{
  f[0] = y[1];
  f[1] = -9.81 - (s[0] ? 0 : 400 * y[0]);
}
FLOW(damped)
{
  f[0] = y[1];
  f[1] = -9.81 - (s[0] ? 0 : 400 * y[0] + 3 * y[1]);
}

/* a chain with a hard stop and a filter */
SWITCH(stop) { return y[2] - 0.35; }
FLOW(stop)
{
  f[0] = y[1];
  f[1] = -4 * y[0] + 2 * y[2] - 0.1 * y[1] + 1.1 * sin(1.4 * t);
  f[2] = y[3];
  f[3] = 2 * y[0] - 5 * y[2] - 0.2 * y[3] - (s[0] ? 60 * (y[2] - 0.35) + 2 * y[3] : 0);
  f[4] = y[2] - 0.5 * y[4];
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

/* two masses that meet */
SWITCH(masses) { return y[0] - y[2] - 0.4; }
FLOW(masses)
{
  double push = s[0] ? 30 * (y[0] - y[2] - 0.4) : 0;
  f[0] = y[1];
  f[1] = -2 * y[0] - 0.1 * y[1] - push + 0.5 * sin(1.7 * t);
  f[2] = y[3];
  f[3] = -3 * y[2] - 0.05 * y[3] + push;
}

/* three masses in a row that meet */
SWITCH(row) { return k ? y[2] - y[4] - 0.23 : y[0] - y[2] - 0.31; }
FLOW(row)
{
  double a = s[0] ? 23 * (y[0] - y[2] - 0.31) : 0,
         b = s[1] ? 19 * (y[2] - y[4] - 0.23) + 0.5 * (y[3] - y[5]) : 0;
  f[0] = y[1];
  f[1] = -1.7 * y[0] - 0.15 * y[1] - a + 1.1 * sin(1.43 * t);
  f[2] = y[3];
  f[3] = -2.3 * y[2] - 0.11 * y[3] + 0.8 * a - b;
  f[4] = y[5];
  f[5] = -1.3 * y[4] - 0.13 * y[5] + 1.2 * b;
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

/* a crane under a speed profile of ramps */
SWITCH(profile)
{
  static const double b[] = {1.37, 3.19, 5.71, 7.03};
  return t - b[k];
}
FLOW(profile)
{
  double a = s[3] ? 0 : s[2] ? -1.38 : s[1] ? 0 : s[0] ? 1.0 : 0;
  f[0] = y[1];
  f[1] = a;
  f[2] = y[3];
  f[3] = -4.1 * sin(y[2]) - a * cos(y[2]) - 0.1 * y[3];
}

/* a car of two wheels whose side forces are limited */
static double side(double t, const double *y, int rear)
{
  return rear ? 5.3 * (0.11 * y[1] - 0.071 * y[0])
              : 4.9 * (0.33 * sin(1.31 * t) - 0.071 * y[0] - 0.09 * y[1]);
}
SWITCH(tyre) { return at(side(t, y, k / 2), 0.53, k % 2); }
FLOW(tyre)
{
  double a = limited(side(t, y, 0), 0.53, s), b = limited(side(t, y, 1), 0.53, s + 2);
  f[0] = 7.1 * (a + b) - 4.2 * y[1];
  f[1] = 5.7 * (1.2 * a - 1.4 * b);
  f[2] = y[1];
  f[3] = 0.3 * y[0] + 1.1 * y[2];
}

/* a cord that only pulls: f bends; and drag v|v|: its slope does */
SWITCH(bungee) { return k ? y[1] : y[0] - 1.9; }
FLOW(bungee)
{
  f[0] = y[1];
  f[1] = 9.81 - (s[0] ? 13.7 * (y[0] - 1.9) + 0.3 * (y[0] - 1.9) * y[1] : 0) -
         0.043 * sign(s[1]) * y[1] * y[1];
}

/* drag v|v| of a body in waves, as Morison has it */
SWITCH(morison) { return y[1] - 1.3 * sin(1.19 * t); }
FLOW(morison)
{
  double v = y[1] - 1.3 * sin(1.19 * t);
  f[0] = y[1];
  f[1] = -2.6 * y[0] - 0.83 * sign(s[0]) * v * v + 0.4 * cos(0.57 * t);
}

/* clang-format off */
const switched switches_bodies[] = {
    {"parabola", BRIEF, 2, 1, first_g, parabola_f, 0, 12, {1, 0.3}},
    {"friction", ORDINARY, 2, 1, second_g, friction_f, 0, 19.3, {3, -1e-3}},
    {"slip", ORDINARY, 2, 1, slip_g, slip_f, 0, 12, {1, 0}},
    {"stribeck", ORDINARY, 2, 1, second_g, stribeck_f, 0.27, 19.9, {0.51, 0.77}},
    {"belt", ORDINARY, 2, 1, belt_g, belt_f, 0.11, 11.3, {1.93, -0.37}},
    {"clutch", ORDINARY, 3, 1, clutch_g, clutch_f, 0.51, 24.9, {0.13, 0.71, 0.37}},
    {"bend", ORDINARY, 2, 1, first_g, bend_f, 0, 12, {1, 0}},
    {"limited spring", ORDINARY, 2, 2, spring_g, spring_f, 0, 15, {2.3, 0}},
    {"hard spring", ORDINARY, 2, 2, harden_g, harden_f, 0.31, 21.7, {0.41, -0.23}},
    {"springy floor", ORDINARY, 2, 1, first_g, floor_f, 0, 3, {0.7, 0}},
    {"damped floor", ORDINARY, 2, 1, first_g, damped_f, 0, 3, {0.7, 0}},
    {"hard stop", ORDINARY, 5, 1, stop_g, stop_f, 0, 16, {0.2, 0, 0, 0.4, 0.1}},
    {"two stops", ORDINARY, 2, 2, stops_g, stops_f, 0.43, 13.9, {0.05, 0.37}},
    {"two masses", ORDINARY, 4, 1, masses_g, masses_f, 0, 15, {0.6, 0.2, -0.1, 0.3}},
    {"row of masses", ORDINARY, 6, 2, row_g, row_f, 0.81, 16.7,
     {0.41, 0.13, -0.11, 0.37, 0.17, -0.29}},
    {"play", ORDINARY, 4, 2, gear_g, gear_f, 0, 20, {0.2, 0, 0, 0.1}},
    {"backlash", ORDINARY, 4, 2, backlash_g, backlash_f, 0.29, 17.3,
     {0.11, 0.23, 0.02, -0.31}},
    {"escapement", ORDINARY, 2, 2, escapement_g, escapement_f, 0.77, 19.9,
     {0.13, 0.41}},
    {"profile", ORDINARY, 4, 4, profile_g, profile_f, 0.41, 11.3,
     {0.1, 0, 0.07, -0.05}},
    {"tyre", ORDINARY, 4, 4, tyre_g, tyre_f, 0.73, 23.1, {0.31, 0.17, 0.05, 0.02}},
    {"bungee", SMOOTHER, 2, 2, bungee_g, bungee_f, 0.31, 17.9, {0.13, 0.41}},
    {"morison", SMOOTHER, 2, 1, morison_g, morison_f, 0.21, 24.7, {0.33, 0.81}},
    {.name = 0},
};
/* clang-format on */
