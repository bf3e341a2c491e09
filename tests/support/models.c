/* models.c -- see models.h.
 *
 * Numbers: computed twice, by Taylor series or closed forms at 25 digits or more and
 * by an 8th-order Runge-Kutta pair at 1e-13; both agree to the digits given.
 */
#include "models.h"

#include <math.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ---------------------------------------------------- bouncing ball ---- */
/* [Donolo02, 4.3]: t_n = t_1 (1 + 2 a (1 - a^(n-1)) / (1 - a)), t_1 = sqrt(2 x0 / g) */

static const double ball_p[] = {9.8, 0.9}; /* gravity, restitution */
static const double ball_y0[] = {0.2, 0};

static int ball_fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -e->p[0];
  return 0;
}

static double ball_height(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int ball_bounce(brink_jump *j)
{
  j->y[1] = -j->p[1] * j->y[1];
  return 0;
}

static const brink_guard_def ball_guard = {.name = "x", .fn = ball_height};
static const brink_guard_def ball_guard_state = {.name = "x", .state = 0};
static const brink_event_def ball_event = {
    .name = "bounce", .dir = BRINK_DOWN, .jump = ball_bounce};
static const brink_event_def ball_event_200 = {
    .name = "bounce", .dir = BRINK_DOWN, .jump = ball_bounce, .limit = 200};

static const brink_mode_def ball_mode = {.name = "fly",
                                         .n = 2,
                                         .rhs = ball_fall,
                                         .guards = &ball_guard,
                                         .n_guards = 1,
                                         .events = &ball_event,
                                         .n_events = 1};
static const brink_mode_def ball_mode_200 = {.name = "fly",
                                             .n = 2,
                                             .rhs = ball_fall,
                                             .guards = &ball_guard,
                                             .n_guards = 1,
                                             .events = &ball_event_200,
                                             .n_events = 1};
static const brink_mode_def ball_mode_200_state = {.name = "fly",
                                                   .n = 2,
                                                   .rhs = ball_fall,
                                                   .guards = &ball_guard_state,
                                                   .n_guards = 1,
                                                   .events = &ball_event_200,
                                                   .n_events = 1};

static const brink_model_def ball_def = {
    .name = "bouncing ball", .modes = &ball_mode, .n_modes = 1, .p = ball_p, .n_p = 2};
const brink_model_def ball_200_callback = {.name = "bouncing ball",
                                           .modes = &ball_mode_200,
                                           .n_modes = 1,
                                           .p = ball_p,
                                           .n_p = 2};
const brink_model_def ball_200_state = {.name = "bouncing ball",
                                        .modes = &ball_mode_200_state,
                                        .n_modes = 1,
                                        .p = ball_p,
                                        .n_p = 2};

static const known_event ball_events[] = {
    {0.2020305089104421498, "bounce"}, {0.5656854249492380195, "bounce"},
    {0.8929748493841543022, "bounce"}, {1.187535331375578957, "bounce"},
    {1.452639765167861146, "bounce"},  {1.691233755580915116, "bounce"},
    {1.905968346952663689, "bounce"},  {2.099229479187237405, "bounce"},
    {2.273164498198353749, "bounce"},  {2.429706015308358459, "bounce"},
    {2.570593380707362697, "bounce"},  {2.697392009566466512, "bounce"},
};

const known_model known_ball = {"bouncing ball", &ball_def,          0,   ball_y0, 2.75,
                                ball_events,     COUNT(ball_events), NULL};

double ball_time(int k, double a)
{
  return sqrt(2 * ball_y0[0] / ball_p[0]) * (1 + 2 * a * (1 - pow(a, k - 1)) / (1 - a));
}

/* --------------------------------------------- constrained pendulum ---- */
/* ARGESIM C7, case a: phi'' = -(g/len) sin phi - (d/m) phi'; the pin at phi = -pi/12
 * shortens the string by 0.7; at the pin the speed at the bob is kept. */

static const double PIN = -0.26179938779914944;
static const double pendulum_l = 1.0, pendulum_short = 0.3;
static const double pendulum_p[] = {1.0}; /* length now */
static const double pendulum_y0[] = {0.52359877559829887, 0};
static const double pendulum_end[] = {0.1196932139557115647, -0.4738385500513354522};

static int pendulum_swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -9.81 / e->p[0] * sin(y[0]) - 0.2 / 1.02 * y[1];
  return 0;
}

static double pendulum_pin(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] - PIN;
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

static const brink_guard_def pendulum_guard = {.name = "phi - pin", .fn = pendulum_pin};
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
static const known_event pendulum_events[] = {
    {0.7034594857621275842, "hit"}, {1.151779707638231151, "release"},
    {2.590417987472131614, "hit"},  {2.990529056608150915, "release"},
    {4.542741390166137974, "hit"},  {4.867487793864580557, "release"},
    {6.648707138039570975, "hit"},  {6.720384168289221988, "release"},
};

const known_model known_pendulum = {
    "constrained pendulum", &pendulum_def,          0,           pendulum_y0, 10,
    pendulum_events,        COUNT(pendulum_events), pendulum_end};

/* --------------------------------------------------- compliant ball ---- */
/* [BEHK12, (15), (16)] with m = 1, k = 1000, d = 10, g = 9.81, from x = 1 at rest.
 * Flight x' = v, v' = -g, w' = -(k/d) w until x + w falls to 0; contact x' = v,
 * v' = -g - k x - d v until the force -(k x + d v) falls to 0, then w = -x.  At the
 * release x + w has a double zero. */

enum { FLIGHT, CONTACT };
static const double spring = 1000, damper = 10;
static const double compliant_y0[] = {1, 0, 0};

static int compliant_flight(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  f[2] = -spring / damper * y[2];
  return 0;
}

static int compliant_contact(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81 - spring * y[0] - damper * y[1];
  return 0;
}

static double compliant_gap(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] + y[2];
}

static double compliant_force(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return -(spring * y[0] + damper * y[1]);
}

static int compliant_touch(brink_jump *j)
{
  j->mode = CONTACT;
  return 0;
}

static int compliant_release(brink_jump *j)
{
  j->mode = FLIGHT;
  j->y[2] = -j->y[0];
  return 0;
}

static const brink_guard_def gap = {.name = "x + w", .fn = compliant_gap};
static const brink_guard_def force = {.name = "force", .fn = compliant_force};
static const brink_event_def touch = {
    .name = "touch", .dir = BRINK_DOWN, .jump = compliant_touch};
static const brink_event_def leave = {
    .name = "release", .dir = BRINK_DOWN, .jump = compliant_release};
static const brink_mode_def compliant_modes[] = {
    {.name = "flight",
     .n = 3,
     .rhs = compliant_flight,
     .guards = &gap,
     .n_guards = 1,
     .events = &touch,
     .n_events = 1},
    {.name = "contact",
     .n = 2,
     .rhs = compliant_contact,
     .guards = &force,
     .n_guards = 1,
     .events = &leave,
     .n_events = 1},
};
static const brink_model_def compliant_def = {
    .name = "compliant ball", .modes = compliant_modes, .n_modes = 2};
static const known_event compliant_events[] = {
    {0.4515236409857309045, "touch"}, {0.5478245187869184254, "release"},
    {1.097221941411865477, "touch"},  {1.197666270584757464, "release"},
    {1.513728357182869154, "touch"},  {1.622487937668747722, "release"},
    {1.785818908317114516, "touch"},  {1.917933773648986330, "release"},
    {1.966165946446795823, "touch"},
};

const known_model known_compliant = {
    "compliant ball", &compliant_def,          FLIGHT, compliant_y0, 3,
    compliant_events, COUNT(compliant_events), NULL};

/* ------------------------------------------------ rotating pendulum ---- */
/* [BEHK12, 5] with g = 9.81, l = 1, no drag, from phi = 0, phi' = 6.  Taut until the
 * string force g cos phi + l phi'^2 falls to 0, slack until r^2 - l^2 rises to 0;
 * then the radial speed is lost. */

enum { TAUT, SLACK };
static const double rotating_y0[] = {0, 6};
static const double rotating_end[] = {0.07240779833071495173, 0.5945150213391514387};

static int rotating_swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81 * sin(y[0]);
  return 0;
}

static int rotating_flight(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = 0;
  f[3] = -9.81;
  return 0;
}

static double rotating_tension(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return 9.81 * cos(y[0]) + y[1] * y[1];
}

static double rotating_reach(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] * y[0] + y[1] * y[1] - 1;
}

static int rotating_release(brink_jump *j)
{
  double phi = j->y_before[0], w = j->y_before[1];

  j->mode = SLACK;
  j->y[0] = sin(phi);
  j->y[1] = -cos(phi);
  j->y[2] = w * cos(phi);
  j->y[3] = w * sin(phi);
  return 0;
}

static int rotating_catch(brink_jump *j)
{
  const double *b = j->y_before;
  double phi = atan2(b[0], -b[1]), w = b[2] * cos(phi) + b[3] * sin(phi);

  j->mode = TAUT;
  j->y[0] = phi;
  j->y[1] = w;
  return 0;
}

static const brink_guard_def tension = {.name = "string force", .fn = rotating_tension};
static const brink_guard_def reach = {
    .name = "r^2 - l^2", .fn = rotating_reach, .degree = 2};
static const brink_event_def slack = {
    .name = "slack", .dir = BRINK_DOWN, .jump = rotating_release};
static const brink_event_def taut = {
    .name = "taut", .dir = BRINK_UP, .jump = rotating_catch};
static const brink_mode_def rotating_modes[] = {
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
static const brink_model_def rotating_def = {
    .name = "rotating pendulum", .modes = rotating_modes, .n_modes = 2};
static const known_event rotating_events[] = {{0.4844661317109524852, "slack"},
                                              {1.276023589311984726, "taut"}};

const known_model known_rotating = {
    "rotating pendulum", &rotating_def,          TAUT,        rotating_y0, 10,
    rotating_events,     COUNT(rotating_events), rotating_end};

/* ------------------------------------------------------- thermostat ---- */
/* T' = P - k (T - 7.5), k = 0.83, P = 26 until T = 21, 0 until T = 19, from 17.2;
 * each stretch lasts ln((T0 - A) / (T1 - A)) / k with A = 7.5 + P / k. */

enum { HEAT, COOL };
static const double thermostat_y0[] = {17.2};

static int thermostat_room(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = (e->mode == HEAT ? 26 : 0) - 0.83 * (y[0] - 7.5);
  return 0;
}

static double thermostat_level(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  return y[0] - (e->mode == HEAT ? 21 : 19);
}

static int thermostat_turn(brink_jump *j)
{
  j->mode = j->mode == HEAT ? COOL : HEAT;
  return 0;
}

static const brink_guard_def level = {.name = "level", .fn = thermostat_level};
static const brink_event_def turn_off = {
    .name = "off", .dir = BRINK_UP, .jump = thermostat_turn};
static const brink_event_def turn_on = {
    .name = "on", .dir = BRINK_DOWN, .jump = thermostat_turn};
static const brink_mode_def thermostat_modes[] = {
    {.name = "heat",
     .n = 1,
     .rhs = thermostat_room,
     .guards = &level,
     .n_guards = 1,
     .events = &turn_off,
     .n_events = 1},
    {.name = "cool",
     .n = 1,
     .rhs = thermostat_room,
     .guards = &level,
     .n_guards = 1,
     .events = &turn_on,
     .n_events = 1},
};
static const brink_model_def thermostat_def = {
    .name = "thermostat", .modes = thermostat_modes, .n_modes = 2};
static const known_event thermostat_events[] = {
    {0.2328254424383511618, "off"},   {0.426009358191579334549, "on"},
    {0.5541299564363146201, "off"},   {0.7473138721895427929, "on"},
    {0.8754344704342780784, "off"},   {1.06861838618750625118, "on"},
    {1.196738984432241536749, "off"}, {1.389922900185469709, "on"},
};

const known_model known_thermostat = {
    "thermostat",      &thermostat_def,          HEAT, thermostat_y0, 1.45,
    thermostat_events, COUNT(thermostat_events), NULL};

const known_model *const known_models[] = {&known_ball,       &known_pendulum,
                                           &known_compliant,  &known_rotating,
                                           &known_thermostat, NULL};
