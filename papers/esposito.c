/* esposito.c -- see esposito.h */
#include "papers/esposito.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static brink_model *build(brink_ctx *ctx, const brink_model_def *def)
{
  brink_model *model = NULL;

  brink_model_new(ctx, def, &model);
  return model;
}

/* ------------------------------------------------------------- vehicle --- */

#define HEADING (-0.2) /* at the start */
#define TURN    0.2    /* rate on the arc */

static int drive(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = cos(y[2]);
  f[1] = sin(y[2]);
  f[2] = e->mode == 0 ? 0 : TURN;
  return 0;
}

static int turn(brink_jump *j)
{
  j->mode = 1;
  return 0;
}

brink_model *esposito_vehicle_new(brink_ctx *ctx)
{
  static const brink_guard_def guards[] = {{.name = "upper", .state = 1, .level = 0.5},
                                           {.name = "far", .state = 0, .level = 3.5},
                                           {.name = "lower", .state = 1, .level = -0.4},
                                           {.name = "end", .state = 0, .level = 2.8},
                                           {.name = "bend", .state = 0, .level = 1.75}};
  /* (y >= 0.5 or x >= 3.5) or (y <= -0.4 and x <= 2.8) */
  static const int walls[] = {0, 1,         BRINK_OR,  2,        BRINK_NOT,
                              3, BRINK_NOT, BRINK_AND, BRINK_OR, BRINK_COND_END};
  static const brink_event_def events[] = {
      {.name = "collision", .cond = walls, .dir = BRINK_UP, .terminal = 1},
      {.name = "switch", .guard = 4, .dir = BRINK_UP, .jump = turn}};
  const brink_mode_def modes[] = {{.name = "straight",
                                   .n = 3,
                                   .rhs = drive,
                                   .guards = guards,
                                   .n_guards = 5,
                                   .events = events,
                                   .n_events = 2},
                                  {.name = "arc",
                                   .n = 3,
                                   .rhs = drive,
                                   .guards = guards,
                                   .n_guards = 4,
                                   .events = events,
                                   .n_events = 1}};

  return build(ctx,
               &(brink_model_def){.name = "vehicle", .modes = modes, .n_modes = 2});
}

/* cos(theta) along the arc where it is at height y, begun at y_turn */
static double cos_at(double y, double y_turn)
{
  return cos(HEADING) + TURN * (y_turn - y);
}

esposito_start esposito_collision(double x0, double y0)
{
  const double wall = -0.4, end = 2.8, bend = 1.75;
  esposito_start s = {x0, y0, nan(""), nan("")};
  double t_turn = (bend - x0) / cos(HEADING), y_turn = y0 + sin(HEADING) * t_turn;

  /* the first time at the height of the wall, on the line or on the arc */
  double c = cos_at(wall, y_turn);
  double t_wall = y_turn <= wall ? (wall - y0) / sin(HEADING)
                                 : t_turn + (-acos(c) - HEADING) / TURN;
  /* where the wall ends, and where the arc has come back to its height */
  double sine = sin(HEADING) + TURN * (end - bend);
  double t_end = t_turn + (asin(sine) - HEADING) / TURN;
  double t_back = t_turn + (acos(c) - HEADING) / TURN;
  double t_exit = fmin(t_end, t_back);
  if (t_wall < t_exit) {
    s.t = t_wall;
    s.t_exit = t_exit;
  }
  return s;
}

/* ----------------------------------------------------------------- arm --- */

#define L1   ESPOSITO_L1
#define L2   ESPOSITO_L2
#define GAIN 5.0 /* of the tracking law */

void esposito_ik(const double p[2], double theta[2])
{
  double r2 = p[0] * p[0] + p[1] * p[1];

  theta[0] = atan2(p[1], p[0]) - acos((r2 + L1 * L1 - L2 * L2) / (2 * L1 * sqrt(r2)));
  theta[1] = acos((r2 - L1 * L1 - L2 * L2) / (2 * L1 * L2));
}

static double outer(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] * y[0] + y[1] * y[1] - (L1 + L2) * (L1 + L2);
}

static double inner(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return (L1 - L2) * (L1 - L2) - y[0] * y[0] - y[1] * y[1];
}

static void count(const double *y, const brink_env *e)
{
  esposito_calls *c = e->user;

  c->all++;
  if (!(outer(0, y, 0, e) > 0 || inner(0, y, 1, e) > 0))
    return;
  if (c->at && c->outside < c->room)
    memcpy(c->at[c->outside], y, 2 * sizeof(double));
  c->outside++;
}

/* theta2' = -2 p.v / (2 l1 l2 sin theta2); theta1 from the elbow's own equation,
 * d/dt of l2^2 = |p|^2 + l1^2 - 2 l1 p.e(theta1). */
static int rate(double t, const double *y, double *f, const brink_env *e)
{
  double th[2], pv = y[0] * e->p[0] + y[1] * e->p[1];

  (void)t;
  count(y, e);
  esposito_ik(y, th);
  double c = cos(th[0]), s = sin(th[0]), across = y[1] * c - y[0] * s;
  f[0] = e->p[0];
  f[1] = e->p[1];
  f[2] = (pv - L1 * (e->p[0] * c + e->p[1] * s)) / (L1 * across);
  f[3] = -pv / (L1 * L2 * sin(th[1]));
  return 0;
}

static int track(double t, const double *y, double *f, const brink_env *e)
{
  double th[2];

  (void)t;
  count(y, e);
  esposito_ik(y, th);
  f[0] = e->p[0];
  f[1] = e->p[1];
  f[2] = GAIN * (th[0] - y[2]);
  f[3] = GAIN * (th[1] - y[3]);
  return 0;
}

brink_model *esposito_arm_new(brink_ctx *ctx, esposito_law law, esposito_calls *calls)
{
  static const brink_guard_def guards[] = {{.name = "outer", .fn = outer, .degree = 2},
                                           {.name = "inner", .fn = inner, .degree = 2}};
  static const brink_event_def events[] = {
      {.name = "outer", .guard = 0, .dir = BRINK_UP, .side = BRINK_BEFORE},
      {.name = "inner", .guard = 1, .dir = BRINK_UP, .side = BRINK_BEFORE}};
  static const char *const states[] = {"x", "y", "theta1", "theta2"};
  static const double still[2];
  const brink_mode_def mode = {.name = "reach",
                               .n = 4,
                               .states = states,
                               .rhs = law == ESPOSITO_RATE ? rate : track,
                               .guards = guards,
                               .n_guards = 2,
                               .events = events,
                               .n_events = 2};

  return build(ctx, &(brink_model_def){.name = "arm",
                                       .modes = &mode,
                                       .n_modes = 1,
                                       .p = still,
                                       .n_p = 2,
                                       .user = calls});
}

/* ---------------------------------------------------------- random lines --- */

static double in(double lo, double hi, double (*u)(void *), void *user)
{
  return lo + (hi - lo) * u(user);
}

esposito_start esposito_start_random(double (*u)(void *), void *user)
{
  const double radius = 0.05;

  for (;;) {
    double x = in(-radius, radius, u, user), y = in(-radius, radius, u, user);
    esposito_start s = esposito_collision(x, y);
    if (hypot(x, y) <= radius && !isnan(s.t))
      return s;
  }
}

/* smaller (inner) or larger zero of |p0 + v t| = r; NaN if there is none */
static double meets(const esposito_line *l, double r, int larger)
{
  double a = l->v[0] * l->v[0] + l->v[1] * l->v[1];
  double b = l->p0[0] * l->v[0] + l->p0[1] * l->v[1];
  double c = l->p0[0] * l->p0[0] + l->p0[1] * l->p0[1] - r * r;
  double root = sqrt(b * b - a * c);

  /* the form without cancellation */
  if (larger)
    return b > 0 ? -c / (b + root) : (root - b) / a;
  return c / (root - b);
}

esposito_line esposito_line_random(int through_inner, double (*u)(void *), void *user)
{
  const double pi = acos(-1);

  for (;;) {
    double r = in(0.6, 1.4, u, user), at = in(-pi, pi, u, user);
    double speed = in(0.2, 0.9, u, user), to = in(-pi, pi, u, user);
    esposito_line l = {.p0 = {r * cos(at), r * sin(at)},
                       .v = {speed * cos(to), speed * sin(to)},
                       .inner = through_inner};
    double t_in = meets(&l, L1 - L2, 0), t_out = meets(&l, L1 + L2, 1);
    int hits_inner = t_in > 0;
    l.t_star = through_inner ? t_in : t_out;
    if (hits_inner == through_inner && l.t_star > 0.05 && l.t_star < 4)
      return l;
  }
}

/* ---------------------------------------------------------------- cars --- */

#define RADIUS      0.1
#define BOX         10.0
#define RESTITUTION 0.9

enum { WALLS = 4 * ESPOSITO_CARS, PAIRS = ESPOSITO_PAIRS };

static int roll(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  for (int i = 0; i < ESPOSITO_CARS; i++, y += 3, f += 3) {
    f[0] = e->p[2 * i] * cos(y[2]);
    f[1] = e->p[2 * i] * sin(y[2]);
    f[2] = e->p[2 * i + 1];
  }
  return 0;
}

static double gap(double t, const double *y, int k, const brink_env *e)
{
  const esposito_pair p = esposito_pairs[k - WALLS];
  double dx = y[p.i] - y[p.j], dy = y[p.i + 1] - y[p.j + 1];

  (void)t, (void)e;
  return dx * dx + dy * dy - 4 * RADIUS * RADIUS;
}

static void velocity(const brink_jump *j, int i, double v[2])
{
  double s = j->p[2 * i], th = j->y[3 * i + 2];

  v[0] = s * cos(th);
  v[1] = s * sin(th);
}

static void set_velocity(brink_jump *j, int i, const double v[2])
{
  j->p[2 * i] = hypot(v[0], v[1]);
  j->y[3 * i + 2] = atan2(v[1], v[0]);
}

static int wall(brink_jump *j)
{
  int i = j->index / 4, axis = j->index % 4 / 2;
  double v[2];

  velocity(j, i, v);
  v[axis] *= -RESTITUTION;
  set_velocity(j, i, v);
  return 0;
}

static int collide(brink_jump *j)
{
  esposito_pair p = esposito_pairs[j->index - WALLS];
  double n[2] = {j->y[p.i] - j->y[p.j], j->y[p.i + 1] - j->y[p.j + 1]}, vi[2], vj[2];
  double length = hypot(n[0], n[1]);

  velocity(j, p.i / 3, vi);
  velocity(j, p.j / 3, vj);
  double vn = ((vi[0] - vj[0]) * n[0] + (vi[1] - vj[1]) * n[1]) / length;
  for (int a = 0; a < 2; a++) {
    double d = 0.5 * (1 + RESTITUTION) * vn * n[a] / length;
    vi[a] -= d;
    vj[a] += d;
  }
  set_velocity(j, p.i / 3, vi);
  set_velocity(j, p.j / 3, vj);
  return 0;
}

brink_model *esposito_cars_new(brink_ctx *ctx, const esposito_car *cars)
{
  static const char *const names[] = {"left", "right", "lower", "upper"};
  brink_guard_def guards[WALLS + PAIRS];
  brink_event_def events[WALLS + PAIRS];
  double p[2 * ESPOSITO_CARS];

  for (int k = 0; k < WALLS; k++) {
    int up = k % 2;
    guards[k] = (brink_guard_def){.name = names[k % 4],
                                  .state = 3 * (k / 4) + k % 4 / 2,
                                  .level = up ? BOX - RADIUS : RADIUS};
    events[k] = (brink_event_def){.name = names[k % 4],
                                  .guard = k,
                                  .dir = up ? BRINK_UP : BRINK_DOWN,
                                  .jump = wall};
  }
  for (int k = 0; k < PAIRS; k++) {
    guards[WALLS + k] = (brink_guard_def){.name = "gap", .fn = gap, .degree = 2};
    events[WALLS + k] = (brink_event_def){
        .name = "bump", .guard = WALLS + k, .dir = BRINK_DOWN, .jump = collide};
  }
  for (int i = 0; i < ESPOSITO_CARS; i++) {
    p[2 * i] = cars[i].s;
    p[2 * i + 1] = cars[i].w;
  }
  const brink_mode_def mode = {.name = "roll",
                               .n = 3 * ESPOSITO_CARS,
                               .rhs = roll,
                               .guards = guards,
                               .n_guards = COUNT(guards),
                               .events = events,
                               .n_events = COUNT(events)};
  return build(
      ctx, &(brink_model_def){
               .name = "cars", .modes = &mode, .n_modes = 1, .p = p, .n_p = COUNT(p)});
}

void esposito_cars_start(const esposito_car *cars, double y[3 * ESPOSITO_CARS])
{
  for (int i = 0; i < ESPOSITO_CARS; i++) {
    y[3 * i] = cars[i].x;
    y[3 * i + 1] = cars[i].y;
    y[3 * i + 2] = cars[i].theta;
  }
}

esposito_bump esposito_bump_of(double t, int event)
{
  if (event < WALLS)
    return (esposito_bump){t, event / 4, -1, "LRDU"[event % 4]};
  const esposito_pair p = esposito_pairs[event - WALLS];
  return (esposito_bump){t, p.i / 3, p.j / 3, 0};
}

void esposito_cars_random(esposito_car *cars, double w_most, double (*u)(void *),
                          void *user)
{
  const double pi = acos(-1), room = 0.3;

  for (int i = 0, j; i < ESPOSITO_CARS; i += j == i) {
    cars[i] = (esposito_car){in(0.5, 9.5, u, user), in(0.5, 9.5, u, user),
                             in(-pi, pi, u, user), in(0.5, 1.5, u, user),
                             in(-w_most, w_most, u, user)};
    for (j = 0; j < i; j++)
      if (hypot(cars[i].x - cars[j].x, cars[i].y - cars[j].y) < room)
        break;
  }
}
