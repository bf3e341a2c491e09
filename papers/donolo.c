/* donolo.c -- see donolo.h */
#include "papers/donolo.h"

#include <math.h>

/* ---------------------------------------------------------------- ball --- */

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -DONOLO_G;
  return 0;
}

static double height(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int bounce(brink_jump *j)
{
  j->y[1] *= -j->p[0];
  return 0;
}

static int bounce_off(brink_boundary *b)
{
  b->x[1] *= -b->p[0];
  return 0;
}

/* t_1, after which the ball flies for a^n of 2 t_1 to bounce n + 1. */
static double first(void) { return sqrt(2 * DONOLO_HEIGHT / DONOLO_G); }

double donolo_bounce_time(double a, int n)
{
  return first() * (1 + 2 * a * (1 - pow(a, n - 1)) / (1 - a));
}

double donolo_zeno_time(double a) { return first() * (1 + a) / (1 - a); }

void donolo_ball_at(double a, double t, double y[2])
{
  double fallen = DONOLO_G * first(), from = 0;
  int n = 0;

  y[0] = y[1] = 0;
  if (t >= donolo_zeno_time(a))
    return;
  while (donolo_bounce_time(a, n + 1) <= t)
    n++;
  if (n > 0)
    from = donolo_bounce_time(a, n);
  double up = n > 0 ? fallen * pow(a, n) : 0, s = t - from;
  y[0] = (n > 0 ? 0 : DONOLO_HEIGHT) + s * (up - DONOLO_G * s / 2);
  y[1] = up - DONOLO_G * s;
}

brink_model *donolo_ball_new(brink_ctx *ctx, double a, int limit)
{
  const brink_guard_def guard = {.name = "x", .fn = height};
  const brink_event_def event = {.name = "bounce",
                                 .dir = BRINK_DOWN,
                                 .jump = bounce,
                                 .limit = limit,
                                 .beyond = BRINK_IGNORE};
  const brink_mode_def mode = {.name = "fly",
                               .n = 2,
                               .rhs = fall,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {
      .name = "ball", .modes = &mode, .n_modes = 1, .p = &a, .n_p = 1};
  brink_model *model = NULL;

  brink_model_new(ctx, &def, &model);
  return model;
}

brink_model *donolo_ball_constrained_new(brink_ctx *ctx, double a)
{
  const double lower[] = {0, -HUGE_VAL};
  const char *const names[] = {"height", "speed"};
  const brink_constrained_def def = {.name = "ball",
                                     .n = 2,
                                     .states = names,
                                     .rhs = fall,
                                     .lower = lower,
                                     .boundary = bounce_off,
                                     .p = &a,
                                     .n_p = 1};
  brink_model *model = NULL;

  brink_constrained_new(ctx, &def, &model);
  return model;
}

/* ------------------------------------------------------------ pendulum --- */

int donolo_pendulum(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = y[1];
  f[1] = -sin(y[0]);
  return 0;
}

void donolo_pendulum_at(double t, double y[2])
{
  y[0] = 2 * atan(sinh(t));
  y[1] = 2 / cosh(t);
}

/* -------------------------------------------------------- ramp metering --- */

static const double length = 4, w1 = 2, w2 = 1;
const double donolo_ramp_start[2] = {-0.5, 1};
const double donolo_ramp_end[2] = {0.46350675594018814, 0};

double donolo_ramp_in(double t) { return t >= 5 && t < 10 ? 0.3 : 0.6; }

double donolo_ramp_out(const double *x)
{
  double rho = x[0] + 1;

  return rho * (1 - rho / 2);
}

/* What the controller asks for: (4.10), no less than 0. */
static double wanted(int mode, double q_in, const double *x)
{
  double more = w1 / length * (q_in - donolo_ramp_out(x));
  double u =
      mode & DONOLO_DENSE
          ? (-(w1 * x[0] + w2 * x[1]) - more - w2 * DONOLO_ARRIVE) / (w1 / length - w2)
          : ((-w1 * x[0] + w2 * x[1]) - more + w2 * DONOLO_ARRIVE) / (w1 / length + w2);

  return fmax(0, u);
}

double donolo_ramp_control(int mode, double q_in, const double *x)
{
  return mode & DONOLO_EMPTY ? DONOLO_ARRIVE : wanted(mode, q_in, x);
}

static int traffic(double t, const double *x, double *f, const brink_env *e)
{
  double u = donolo_ramp_control(e->mode, e->u[0], x);

  (void)t;
  f[0] = (e->u[0] - donolo_ramp_out(x) + u) / length;
  f[1] = DONOLO_ARRIVE - u;
  return 0;
}

static double surplus(double t, const double *x, int k, const brink_env *e)
{
  (void)t, (void)k;
  return wanted(e->mode, e->u[0], x) - DONOLO_ARRIVE;
}

static int empty(brink_jump *j)
{
  j->mode |= DONOLO_EMPTY;
  j->y[1] = 0;
  return 0;
}

static int fill(brink_jump *j)
{
  j->mode &= ~DONOLO_EMPTY;
  return 0;
}

static int side(brink_jump *j)
{
  j->mode ^= DONOLO_DENSE;
  return 0;
}

static int input(brink_jump *j)
{
  j->u[0] = donolo_ramp_in(j->t);
  return 0;
}

static const brink_guard_def guards[] = {{.name = "x1", .state = 0},
                                         {.name = "x2", .state = 1},
                                         {.name = "u - qs", .fn = surplus}};
/* clang-format off */
#define SIDE(d) {.name = "x1 = 0", .guard = 0, .dir = d, .jump = side}
#define EMPTIES {.name = "empty", .guard = 1, .dir = BRINK_DOWN, .jump = empty}
#define FILLS   {.name = "fills", .guard = 2, .dir = BRINK_DOWN, .jump = fill, \
                 .beyond = BRINK_FIRE}
#define MODE(title, k) {.name = title, .n = 2, .rhs = traffic, .guards = guards, \
                        .n_guards = 3, .events = events[k], .n_events = 2}
/* clang-format on */
static const brink_event_def events[DONOLO_MODES][2] = {{SIDE(BRINK_UP), EMPTIES},
                                                        {SIDE(BRINK_UP), FILLS},
                                                        {SIDE(BRINK_DOWN), EMPTIES},
                                                        {SIDE(BRINK_DOWN), FILLS}};
static const brink_mode_def modes[] = {MODE("queue", 0), MODE("empty", 1),
                                       MODE("dense, queue", 2),
                                       MODE("dense, empty", 3)};
static const brink_timer_def timers[] = {{.name = "input", .at = 5, .jump = input},
                                         {.name = "input", .at = 10, .jump = input}};
static const double inflow[] = {0.6};

const brink_model_def donolo_ramp = {.name = "ramp",
                                     .modes = modes,
                                     .n_modes = DONOLO_MODES,
                                     .timers = timers,
                                     .n_timers = 2,
                                     .u = inflow,
                                     .n_u = 1};

enum { E = DONOLO_EMPTY, D = DONOLO_DENSE };
const donolo_ramp_event donolo_ramp_events[DONOLO_RAMP_EVENTS] = {
    {2.0756194834583757, "empty", E, {-0.12547867145005023, 0}},
    {3.5488076254710945, "fills", 0, {-0.05031646837370019, 0}},
    {4.7103437773642245, "x1 = 0", D, {0, 0.03149861117709228}},
    {4.831793784803168, "empty", D | E, {0.013948141411555244, 0}},
    {5, "input", D | E, {0.022365507477941603, 0}},
    {5, "fills", D, {0.022365507477941603, 0}},
    {5.665237184681686, "x1 = 0", 0, {0, 0.022998521315342604}},
    {6.172287878646895, "empty", E, {-0.006925650957232508, 0}},
    {10, "input", E, {-0.10085507263185635, 0}},
    {10.996045558312643, "fills", 0, {-0.05031646837370026, 0}},
    {12.157581710205774, "x1 = 0", D, {0, 0.03149861117709223}},
    {12.279031717644717, "empty", D | E, {0.013948141411555247, 0}},
};
