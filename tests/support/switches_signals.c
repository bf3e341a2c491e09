/* switches_signals.c -- hidden switches of controllers, clocks and circuits: relays,
 * limits, dead zones, waves, diodes, converters. */
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

/* a double integrator under a limited controller, disturbed */
SWITCH(feedback) { return at(2.1 * y[0] + 1.4 * y[1], 1, k); }
FLOW(feedback)
{
  f[0] = y[1];
  f[1] = -limited(2.1 * y[0] + 1.4 * y[1], 1, s) + 0.8 * sin(0.9 * t);
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

/* a servo with a dead zone */
static double servo_error(double t, const double *y)
{
  return 0.91 * sin(0.83 * t) + 0.33 * sin(2.17 * t) - y[0];
}
SWITCH(servo) { return at(servo_error(t, y), 0.23, k); }
FLOW(servo)
{
  f[0] = y[1];
  f[1] = -1.13 * y[1] + 5.7 * dead(servo_error(t, y), 0.23, s);
}

/* a PI controller with a limit, wound back by what is cut off */
static double windup_volts(double t, const double *y)
{
  return 3.7 * (2.9 * sin(0.87 * t) + 0.4 - y[0]) + y[1];
}
SWITCH(windup) { return at(windup_volts(t, y), 1.17, k); }
FLOW(windup)
{
  double u = windup_volts(t, y), v = limited(u, 1.17, s),
         e = 2.9 * sin(0.87 * t) + 0.4 - y[0];
  f[0] = -0.71 * y[0] + 1.37 * v;
  f[1] = 1.9 * e + 3.3 * (v - u);
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

/* a rate limiter before a second-order plant */
static double rate_asked(double t, const double *y)
{
  return (1.4 * sin(1.07 * t) + 0.3 * cos(2.9 * t) - y[0]) / 0.23;
}
SWITCH(rate) { return at(rate_asked(t, y), 0.97, k); }
FLOW(rate)
{
  f[0] = limited(rate_asked(t, y), 0.97, s);
  f[1] = y[2];
  f[2] = 2.7 * (y[0] - y[1]) - 0.7 * y[2];
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

/* the pitch of an aircraft with a limited elevator, in degrees */
static double elevator_asked(double t, const double *y)
{
  return 3.1 * (19.7 * sin(0.81 * t) - y[0]) - 1.3 * y[1];
}
SWITCH(elevator) { return at(elevator_asked(t, y), 15.3, k); }
FLOW(elevator)
{
  f[0] = y[1];
  f[1] = -0.9 * y[1] + 1.13 * y[2];
  f[2] = 5.9 * (limited(elevator_asked(t, y), 15.3, s) - y[2]);
}

/* the larger of two laws */
static double law_a(double t, const double *y)
{
  return 0.9 * cos(1.7 * t) - 0.6 * y[0];
}
static double law_b(const double *y) { return -0.31 * y[0] * y[0] + 0.17; }
SWITCH(larger) { return law_a(t, y) - law_b(y); }
FLOW(larger) { f[0] = s[0] ? law_a(t, y) : law_b(y); }

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

/* a phase-locked loop with an exclusive or */
SWITCH(pll) { return k ? sin(y[0]) : cos(3.7 * t + 0.4); }
FLOW(pll)
{
  f[0] = 3.3 + 1.1 * y[1];
  f[1] = 0.9 * (sign(s[0]) * sign(s[1]) - y[1]);
}

/* a full-wave rectifier into a filter */
SWITCH(rectifier) { return sin(2.37 * t + 0.6); }
FLOW(rectifier)
{
  f[0] = (3.1 * sign(s[0]) * sin(2.37 * t + 0.6) - 0.2 * y[0] - y[1]) / 0.7;
  f[1] = (y[0] - y[1] / 1.9) / 0.9;
}

/* a diode bridge with a capacitor and an inductive load */
SWITCH(bridge)
{
  double v = 2.6 * sin(2.71 * t);
  return (k ? -v : v) - y[0];
}
FLOW(bridge)
{
  double v = 2.6 * sin(2.71 * t);
  double i = s[0] ? (v - y[0]) / 0.19 : s[1] ? (-v - y[0]) / 0.19 : 0;
  f[0] = (i - y[1]) / 0.63;
  f[1] = (y[0] - 0.9 * y[1]) / 1.7;
}

/* a diode that loads a capacitor */
SWITCH(diode) { return sin(3.1 * t) - y[0]; }
FLOW(diode)
{
  f[0] = (s[0] ? (sin(3.1 * t) - y[0]) / 0.12 : 0) - 0.8 * y[0] - 0.5 * (y[0] - y[1]);
  f[1] = 0.5 * (y[0] - y[1]) - 0.3 * y[1];
}

/* a buck converter under a controller, switched by a triangle wave */
SWITCH(buck)
{
  return 0.43 + 0.21 * (1.3 - y[1]) + 0.15 * y[2] - (0.5 + asin(sin(7.3 * t)) / PI);
}
FLOW(buck)
{
  f[0] = ((s[0] ? 3.1 : 0) - y[1] - 0.1 * y[0]) / 0.9;
  f[1] = (y[0] - y[1] / 1.3) / 0.6;
  f[2] = 1.3 - y[1] - 0.2 * y[2];
}

/* a boost converter, switched by time */
SWITCH(boost) { return sin(6.1 * t + 0.3) - 0.2 * sin(0.7 * t); }
FLOW(boost)
{
  f[0] = (1.7 - (s[0] ? 0 : y[1]) - 0.15 * y[0]) / 0.8;
  f[1] = ((s[0] ? 0 : y[0]) - y[1] / 2.3) / 0.7;
}

/* Chua's circuit */
SWITCH(chua) { return at(y[0], 1, k); }
FLOW(chua)
{
  f[0] = 9 * (y[1] - y[0] + 0.714 * y[0] + 0.429 * limited(y[0], 1, s));
  f[1] = y[0] - y[1] + y[2];
  f[2] = -14.286 * y[1];
}

/* Colpitts' oscillator with a transistor of two pieces */
SWITCH(colpitts) { return -y[1] - 0.75; }
FLOW(colpitts)
{
  double ib = s[0] ? (-y[1] - 0.75) / 0.8 : 0;
  f[0] = y[2] - 4.7 * ib;
  f[1] = (-2 - y[1]) * 0.37 + y[2] + ib;
  f[2] = 1.9 - y[0] - y[1] * 0.9 - 0.43 * y[2];
}

/* an oscillator with a clipped amplifier */
SWITCH(clipped) { return at(1.37 * y[1], 0.83, k); }
FLOW(clipped)
{
  f[0] = y[1];
  f[1] = -1.21 * y[0] + 1.61 * limited(1.37 * y[1], 0.83, s) - 0.93 * y[1];
}

/* a motor whose current limiter takes voltage away */
SWITCH(limiter) { return at(y[0], 1.21, k); }
FLOW(limiter)
{
  f[0] = (4.7 * sin(0.91 * t) - 1.3 * y[0] - 0.9 * y[1] - 11.3 * dead(y[0], 1.21, s)) /
         0.47;
  f[1] = (0.9 * y[0] - 0.21 * y[1]) / 0.8;
}

/* clang-format off */
const switched switches_signals[] = {
    {"relay", ORDINARY, 2, 1, relay_g, relay_f, 0, 12, {1, 0.3}},
    {"relay third", ORDINARY, 3, 1, third_g, third_f, 0.37, 23.1, {0.61, -0.13, 0.29}},
    {"two relays", ORDINARY, 4, 2, relays_g, relays_f, 0, 12, {1, 0, 0.7, 0.3}},
    {"clock", ORDINARY, 2, 1, clock_g, clock_f, 0, 12, {1, 0.2}},
    {"square wave", ORDINARY, 1, 1, wave_g, wave_f, 0, 14, {0.3}},
    {"limited input", ORDINARY, 2, 2, input_g, input_f, 0, 12, {0.3, 0.1}},
    {"limited feedback", ORDINARY, 2, 2, feedback_g, feedback_f, 0, 25, {0.7, 0.4}},
    {"limited motor", ORDINARY, 3, 2, motor_g, motor_f, 0, 25, {0, 0.2, 0.1}},
    {"dead zone", ORDINARY, 2, 2, servo_g, servo_f, 1.13, 22.7, {-0.17, 0.31}},
    {"anti-windup", ORDINARY, 2, 2, windup_g, windup_f, -0.71, 29.9, {0.13, 0.07}},
    {"cond integral", ORDINARY, 3, 2, condint_g, condint_f, 0.83, 27.7,
     {0.21, -0.1, 0.17}},
    {"rate limiter", ORDINARY, 3, 2, rate_g, rate_f, 0.23, 21.9, {0.1, 0.3, -0.2}},
    {"switching line", BRIEF, 2, 1, bang_g, bang_f, 0.17, 19.1, {2.71, 0.43}},
    {"satellite", BRIEF, 2, 2, satellite_g, satellite_f, 0.69, 10.3, {1.31, 0.87}},
    {"gain schedule", ORDINARY, 3, 2, schedule_g, schedule_f, 1.19, 39.7,
     {0.31, 0.27, 0.09}},
    {"elevator", ORDINARY, 3, 2, elevator_g, elevator_f, 1.31, 33.7, {1.7, -2.3, 4.1}},
    {"larger law", ORDINARY, 1, 1, larger_g, larger_f, 0.67, 23.3, {0.41}},
    {"triangle", ORDINARY, 2, 1, triangle_g, triangle_f, -0.43, 23.9, {0.41, -0.17}},
    {"sawtooth", ORDINARY, 2, 1, saw_g, saw_f, 0.53, 20.9, {0.27, 0.61}},
    {"xor loop", BRIEF, 2, 2, pll_g, pll_f, 0.37, 13.1, {0.91, 0.23}},
    {"rectifier", ORDINARY, 2, 1, rectifier_g, rectifier_f, 0.19, 17.3, {0.3, 0.4}},
    {"diode bridge", ORDINARY, 2, 2, bridge_g, bridge_f, 0.13, 14.7, {0.31, 0.17}},
    {"diode", ORDINARY, 2, 1, diode_g, diode_f, 0, 9, {0.1, 0.05}},
    {"buck", BRIEF, 3, 1, buck_g, buck_f, 0.07, 13.3, {0.31, 0.73, 0.11}},
    {"boost", BRIEF, 2, 1, boost_g, boost_f, 0.39, 17.1, {0.83, 1.21}},
    {"Chua", ORDINARY, 3, 2, chua_g, chua_f, 0, 6, {0.7, 0, 0}},
    {"colpitts", ORDINARY, 3, 1, colpitts_g, colpitts_f, 0.41, 23.7, {0.7, -0.31, 0.2}},
    {"clipped amp", ORDINARY, 2, 2, clipped_g, clipped_f, 0.61, 24.1, {0.17, 0.29}},
    {"current limit", ORDINARY, 2, 2, limiter_g, limiter_f, 0.49, 26.3, {0.23, -0.41}},
    {.name = 0},
};
/* clang-format on */
