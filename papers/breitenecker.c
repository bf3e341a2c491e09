/* breitenecker.c -- see breitenecker.h.  Event times and final states: from Taylor
 * series in high precision, independently checked with DOP853 at 1e-13. */
#include "papers/breitenecker.h"

#include <math.h>
#include <stddef.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static void count_f(const brink_env *e)
{
  if (e->user)
    ((breitenecker_calls *)e->user)->f++;
}

static void count_g(const brink_env *e)
{
  if (e->user)
    ((breitenecker_calls *)e->user)->g++;
}

/* ----------------------------------------- ARGESIM C7, a pendulum ---- */
/* phi' = w, w' = -(g/len) sin phi - (d/m) w with m = 1.02, d = 0.2, g = 9.81; the
 * string of length 1 meets a pin at -pi/12, which leaves 0.3 of it. */

static const double PIN = -0.26179938779914944;
static const double pendulum_l = 1.0, pendulum_short = 0.3;
static const double pendulum_p[] = {1.0}; /* length now */
static const double pendulum_y0[] = {0.52359877559829887, 0};
static const double pendulum_end[] = {0.1196932139557115647, -0.4738385500513354522};

static int pendulum_swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  count_f(e);
  f[0] = y[1];
  f[1] = -9.81 / e->p[0] * sin(y[0]) - 0.2 / 1.02 * y[1];
  return 0;
}

static double pendulum_pin(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return y[0] - PIN;
}

static double pendulum_pin_rate(double t, const double *y, const double *f, int k,
                                const brink_env *e)
{
  (void)t, (void)y, (void)k;
  count_g(e);
  return f[0];
}

static int pendulum_hit(brink_jump *j)
{
  j->p[0] = pendulum_short;
  j->y[1] *= pendulum_l / pendulum_short;
  return 0;
}

static int pendulum_release(brink_jump *j)
{
  j->p[0] = pendulum_l;
  j->y[1] *= pendulum_short / pendulum_l;
  return 0;
}

static const brink_guard_def pendulum_guard = {
    .name = "phi - pin", .fn = pendulum_pin, .rate = pendulum_pin_rate};
static const brink_event_def pendulum_edges[] = {
    {.name = "hit", .dir = BRINK_DOWN, .jump = pendulum_hit, .beyond = BRINK_IGNORE},
    {.name = "release",
     .dir = BRINK_UP,
     .jump = pendulum_release,
     .beyond = BRINK_IGNORE},
};
static const brink_mode_def pendulum_mode = {.name = "swing",
                                             .n = 2,
                                             .rhs = pendulum_swing,
                                             .guards = &pendulum_guard,
                                             .n_guards = 1,
                                             .events = pendulum_edges,
                                             .n_events = 2};
static const brink_model_def pendulum_def = {.name = "constrained pendulum",
                                             .modes = &pendulum_mode,
                                             .n_modes = 1,
                                             .p = pendulum_p,
                                             .n_p = 1};
static const breitenecker_event pendulum_events[] = {
    {0.7034594857621275842, "hit"}, {1.151779707638231151, "release"},
    {2.590417987472131614, "hit"},  {2.990529056608150915, "release"},
    {4.542741390166137974, "hit"},  {4.867487793864580557, "release"},
    {6.648707138039570975, "hit"},  {6.720384168289221988, "release"},
};

const breitenecker_problem breitenecker_pendulum = {
    "constrained pendulum", &pendulum_def,          0,           pendulum_y0, 10,
    pendulum_events,        COUNT(pendulum_events), pendulum_end};

/* --------------------------------------------------- compliant ball ---- */
/* [BEHK12, (15), (16)] with m = 1, k = 1000, d = 10, g = 9.81, from x = 1 at rest.
 * Flight x' = v, v' = -g, w' = -(k/d) w until x + w falls to 0; contact x' = v,
 * v' = -g - k x - d v until the force -(k x + d v) falls to 0, then w = -x.  At the
 * release x + w has a double zero. */

enum { FLIGHT, CONTACT };
static const double spring = 1000, damper = 10;
static const double ball_y0[] = {1, 0, 0};

static int ball_flight(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  count_f(e);
  f[0] = y[1];
  f[1] = -9.81;
  f[2] = -spring / damper * y[2];
  return 0;
}

static int ball_contact(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  count_f(e);
  f[0] = y[1];
  f[1] = -9.81 - spring * y[0] - damper * y[1];
  return 0;
}

static double ball_gap(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return y[0] + y[2];
}

static double ball_gap_rate(double t, const double *y, const double *f, int k,
                            const brink_env *e)
{
  (void)t, (void)y, (void)k;
  count_g(e);
  return f[0] + f[2];
}

static double ball_force(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return -(spring * y[0] + damper * y[1]);
}

static double ball_force_rate(double t, const double *y, const double *f, int k,
                              const brink_env *e)
{
  (void)t, (void)y, (void)k;
  count_g(e);
  return -(spring * f[0] + damper * f[1]);
}

static int ball_touch(brink_jump *j)
{
  j->mode = CONTACT;
  return 0;
}

static int ball_release(brink_jump *j)
{
  j->mode = FLIGHT;
  j->y[2] = -j->y[0];
  return 0;
}

static const brink_guard_def gap = {
    .name = "x + w", .fn = ball_gap, .rate = ball_gap_rate};
static const brink_guard_def force = {
    .name = "force", .fn = ball_force, .rate = ball_force_rate};
static const brink_event_def touch = {
    .name = "touch", .dir = BRINK_DOWN, .jump = ball_touch};
static const brink_event_def leave = {
    .name = "release", .dir = BRINK_DOWN, .jump = ball_release};
static const brink_mode_def ball_modes[] = {
    {.name = "flight",
     .n = 3,
     .rhs = ball_flight,
     .guards = &gap,
     .n_guards = 1,
     .events = &touch,
     .n_events = 1},
    {.name = "contact",
     .n = 2,
     .rhs = ball_contact,
     .guards = &force,
     .n_guards = 1,
     .events = &leave,
     .n_events = 1},
};
static const brink_model_def ball_def = {
    .name = "compliant ball", .modes = ball_modes, .n_modes = 2};
static const breitenecker_event ball_events[] = {
    {0.4515236409857309045, "touch"}, {0.5478245187869184254, "release"},
    {1.097221941411865477, "touch"},  {1.197666270584757464, "release"},
    {1.513728357182869154, "touch"},  {1.622487937668747722, "release"},
    {1.785818908317114516, "touch"},  {1.917933773648986330, "release"},
    {1.966165946446795823, "touch"},
};

const breitenecker_problem breitenecker_ball = {
    "compliant ball", &ball_def,          FLIGHT, ball_y0, 3,
    ball_events,      COUNT(ball_events), NULL};

/* ------------------------------------------------ rotating pendulum ---- */
/* g = 9.81, l = 1, no drag, from phi = 0, phi' = 6.  Taut until the string force
 * g cos phi + l phi'^2 falls to 0, slack until r^2 - l^2 rises to 0; then the radial
 * speed is lost. */

enum { TAUT, SLACK };
static const double polar_y0[] = {0, 6};
static const double polar_end[] = {0.07240779833071495173, 0.5945150213391514387};
static const breitenecker_event rotating_events[] = {{0.4844661317109524852, "slack"},
                                                     {1.276023589311984726, "taut"}};

static int rotating_swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  count_f(e);
  f[0] = y[1];
  f[1] = -9.81 * sin(y[0]);
  return 0;
}

static int rotating_flight(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  count_f(e);
  f[0] = y[2];
  f[1] = y[3];
  f[2] = 0;
  f[3] = -9.81;
  return 0;
}

static double rotating_tension(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return 9.81 * cos(y[0]) + y[1] * y[1];
}

static double rotating_tension_rate(double t, const double *y, const double *f, int k,
                                    const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return -9.81 * sin(y[0]) * f[0] + 2 * y[1] * f[1];
}

static double rotating_reach(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return y[0] * y[0] + y[1] * y[1] - 1;
}

static double rotating_reach_rate(double t, const double *y, const double *f, int k,
                                  const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return 2 * (y[0] * f[0] + y[1] * f[1]);
}

static int polar_release(brink_jump *j)
{
  double phi = j->y_before[0], w = j->y_before[1];

  j->mode = SLACK;
  j->y[0] = sin(phi);
  j->y[1] = -cos(phi);
  j->y[2] = w * cos(phi);
  j->y[3] = w * sin(phi);
  return 0;
}

static int polar_catch(brink_jump *j)
{
  const double *b = j->y_before;
  double phi = atan2(b[0], -b[1]), w = b[2] * cos(phi) + b[3] * sin(phi);

  j->mode = TAUT;
  j->y[0] = phi;
  j->y[1] = w;
  return 0;
}

static const brink_guard_def tension = {
    .name = "string force", .fn = rotating_tension, .rate = rotating_tension_rate};
static const brink_guard_def reach = {.name = "r^2 - l^2",
                                      .fn = rotating_reach,
                                      .degree = 2,
                                      .rate = rotating_reach_rate};
static const brink_event_def slack = {
    .name = "slack", .dir = BRINK_DOWN, .jump = polar_release};
static const brink_event_def taut = {
    .name = "taut", .dir = BRINK_UP, .jump = polar_catch};
static const brink_mode_def polar_modes[] = {
    {.name = "taut",
     .n = 2,
     .rhs = rotating_swing,
     .guards = &tension,
     .n_guards = 1,
     .events = &slack,
     .n_events = 1},
    {.name = "slack",
     .n = 4,
     .rhs = rotating_flight,
     .guards = &reach,
     .n_guards = 1,
     .events = &taut,
     .n_events = 1},
};
static const brink_model_def polar_def = {
    .name = "rotating pendulum", .modes = polar_modes, .n_modes = 2};

const breitenecker_problem breitenecker_polar = {
    "rotating pendulum",    &polar_def, TAUT, polar_y0, 10, rotating_events,
    COUNT(rotating_events), polar_end};

/* ------------------------------------------- the same, Cartesian ---- */
/* Taut: r'' = -lambda r - (0, g) with lambda = (v^2 - g y)/r^2, which keeps r^2 = l^2,
 * until v^2 - g y, the string force times l, falls to 0.  The release puts the ball
 * onto the circle again, the catch takes the radial speed. */

static const double cartesian_y0[] = {0, -1, 6, 0};
static const double cartesian_end[] = {0.07234454390343271, -0.9973797004989646,
                                       0.5929572139253785, 0.04300991806252048};

static int cartesian_swing(double t, const double *y, double *f, const brink_env *e)
{
  double lambda =
      (y[2] * y[2] + y[3] * y[3] - 9.81 * y[1]) / (y[0] * y[0] + y[1] * y[1]);

  (void)t;
  count_f(e);
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -lambda * y[0];
  f[3] = -lambda * y[1] - 9.81;
  return 0;
}

static double cartesian_tension(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return y[2] * y[2] + y[3] * y[3] - 9.81 * y[1];
}

static double cartesian_tension_rate(double t, const double *y, const double *f, int k,
                                     const brink_env *e)
{
  (void)t, (void)k;
  count_g(e);
  return 2 * (y[2] * f[2] + y[3] * f[3]) - 9.81 * f[1];
}

static int cartesian_release(brink_jump *j)
{
  double r = hypot(j->y[0], j->y[1]);

  j->mode = SLACK;
  j->y[0] /= r;
  j->y[1] /= r;
  return 0;
}

static int cartesian_catch(brink_jump *j)
{
  double *y = j->y, radial = (y[0] * y[2] + y[1] * y[3]) / (y[0] * y[0] + y[1] * y[1]);

  j->mode = TAUT;
  y[2] -= radial * y[0];
  y[3] -= radial * y[1];
  return 0;
}

static const brink_guard_def cartesian_force = {.name = "string force",
                                                .fn = cartesian_tension,
                                                .degree = 2,
                                                .rate = cartesian_tension_rate};
static const brink_event_def cartesian_slack = {
    .name = "slack", .dir = BRINK_DOWN, .jump = cartesian_release};
static const brink_event_def cartesian_taut = {
    .name = "taut", .dir = BRINK_UP, .jump = cartesian_catch, .beyond = BRINK_IGNORE};
static const brink_mode_def cartesian_modes[] = {
    {.name = "taut",
     .n = 4,
     .rhs = cartesian_swing,
     .guards = &cartesian_force,
     .n_guards = 1,
     .events = &cartesian_slack,
     .n_events = 1},
    {.name = "slack",
     .n = 4,
     .rhs = rotating_flight,
     .guards = &reach,
     .n_guards = 1,
     .events = &cartesian_taut,
     .n_events = 1},
};
static const brink_model_def cartesian_def = {
    .name = "rotating pendulum, Cartesian", .modes = cartesian_modes, .n_modes = 2};

const breitenecker_problem breitenecker_cartesian = {"rotating pendulum, Cartesian",
                                                     &cartesian_def,
                                                     TAUT,
                                                     cartesian_y0,
                                                     10,
                                                     rotating_events,
                                                     COUNT(rotating_events),
                                                     cartesian_end};

const breitenecker_problem *const breitenecker_problems[BREITENECKER_PROBLEMS] = {
    &breitenecker_pendulum, &breitenecker_ball, &breitenecker_polar,
    &breitenecker_cartesian};
