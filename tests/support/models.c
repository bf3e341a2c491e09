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

const known_model *const known_models[] = {&known_ball,
                                           &breitenecker_pendulum,
                                           &breitenecker_ball,
                                           &breitenecker_polar,
                                           &breitenecker_cartesian,
                                           &known_thermostat,
                                           NULL};
