/* test_reflected.c -- reflected paths: Skorokhod's problem in one dimension against its
 * explicit solution, in two with oblique pushes against an exact one in rational
 * numbers, from C and as text; ramp metering as a reflected path. */
#include "hybrid.h"
#include "papers/donolo.h"
#include "plain_methods.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static brink_sim_opts tight(void)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-12;
  opt.atol = 1e-14;
  return opt;
}

static rig of_text(const char *text, const brink_sim_opts *opt)
{

  return rig_text(text, opt, 0);
}

/* ------------------------------------------------------- one dimension ---- */

/* x' = cos t - 0.4 from 0.5, kept at or above 0: x = psi + L, L = max(0, -min psi). */
static const double hits[] = {2.58042911993308026936782, 8.82543789078036792218615,
                              15.10862319795995439911144};
static const double leaves[] = {5.123905826452177877078703, 11.40709113363176435400399,
                                17.69027644081135083092928};
static const double pushed[] = {2.466077469572039152149091, 4.979351592443873742919205,
                                7.49262571531570833368932};

static int drift(double t, const double *x, double *f, const brink_env *e)
{
  (void)x, (void)e;
  f[0] = cos(t) - 0.4;
  return 0;
}

static const double at_0[] = {0}, from[] = {0.5, 0};
static const brink_reflected_def path = {
    .name = "path", .n = 1, .rhs = drift, .lower = at_0};

static rig rig_reflected(const brink_reflected_def *def, const brink_sim_opts *opt,
                         const double *x0)
{
  rig r = {0};

  assert_int_equal(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_reflected_new(r.ctx, def, &r.model) < 0 ||
      brink_sim_new(r.ctx, r.model, opt, &r.sim) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_start(r.sim, 0, 0, x0), BRINK_OK);
  return r;
}

/* Meets, rests, leaves, three times. */
static void check_path(rig *r)
{
  size_t n = 0;

  check_status(brink_sim_run(r->sim, 18), BRINK_END);
  for (size_t k = 0; k < rig_events(r); k++) {
    brink_event e = rig_event(r, k);
    if (e.kind == BRINK_KIND_CROSSING)
      check_near(e.t, hits[n], 1e-10);
    if (e.kind == BRINK_KIND_REST)
      check_near(e.y_after[0], 0, 0);
    if (e.kind == BRINK_KIND_LIFT) {
      check_near(e.t, leaves[n], 1e-10);
      check_near(e.y_after[1], pushed[n], 1e-10);
      n++;
    }
  }
  assert_int_equal(n, 3);
  assert_int_equal(rig_events(r), 9);
  check_near(brink_sim_state(r->sim)[0], 0.04163846854403222993916396, 1e-10);
  check_near(brink_sim_state(r->sim)[1], pushed[2], 1e-10);
}

static void one_dimension_to_1e_10(void **state)
{
  brink_sim_opts opt = tight();
  rig c = rig_reflected(&path, &opt, from);
  rig text = of_text("model path\n  Real x(start = 0.5, fixed = true, min = 0)\n"
                     "    annotation(__brink(reflect = {1}));\nequation\n"
                     "  der(x) = cos(time) - 0.4;\nend path;\n",
                     &opt);

  (void)state;
  check_path(&c);
  check_path(&text);
  check_near(rig_value(&text, "x.L_min"), pushed[2], 1e-10);
  check_near(rig_value(&c, "x1.L_min"), pushed[2], 1e-10);
  rig_free(&c);
  rig_free(&text);
}

static void with_every_method(void **state)
{
  (void)state;
  EACH_PLAIN_METHOD (i) {
    brink_sim_opts opt = tight();
    opt.method = brink_method_name(i);
    opt.h0 = brink_method_fixed_step(i) ? 1e-3 : 0;
    if (brink_method_order(i) < 4)
      opt.rtol = opt.atol = 1e-10;
    rig r = rig_reflected(&path, &opt, from);
    check_status(brink_sim_run(r.sim, 18), BRINK_END);
    assert_int_equal(rig_events(&r), 9);
    check_near(brink_sim_state(r.sim)[1], pushed[2], 1e-7);
    rig_free(&r);
  }
}

/* Between two bounds, with a push that is counted at each. */
static void two_bounds(void **state)
{
  static const char text[] =
      "model between\n  Real x(start = 0, fixed = true, min = -0.5, max = 0.75)\n"
      "    annotation(__brink(reflect = {2}));\nequation\n"
      "  der(x) = if time < 1 then 1 elseif time < 4 then -1 else 0.25;\n"
      "end between;\n";
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);

  (void)state;
  check_status(brink_sim_run(r.sim, 5), BRINK_END);
  check_near(rig_value(&r, "x"), -0.25, 1e-13);
  check_near(rig_value(&r, "x.L_max"), 0.25 / 2, 1e-13);
  check_near(rig_value(&r, "x.L_min"), 1.75 / 2, 1e-13);
  rig_free(&r);
}

/* ------------------------------------------ two dimensions, exactly ---- */

enum { INTERVALS = 8 };

typedef struct problem {
  int along[2][2];         /* in quarters; the diagonal is 4       */
  int drift[INTERVALS][2]; /* in eighths, for half a time each     */
  int start[2];            /* in eighths of the unit square        */
} problem;

typedef struct exact {
  mpq_t x[2], left, push[2][2], v[2], lambda[2], a, b, dt, t;
} exact;

static void each(exact *e, void (*what)(mpq_ptr))
{
  for (int i = 0; i < 2; i++) {
    what(e->x[i]);
    what(e->push[i][0]);
    what(e->push[i][1]);
    what(e->v[i]);
    what(e->lambda[i]);
  }
  what(e->left);
  what(e->a);
  what(e->b);
  what(e->dt);
  what(e->t);
}

static void init(mpq_ptr q) { mpq_init(q); }
static void clear(mpq_ptr q) { mpq_clear(q); }

/* -1: on the lower bound of component i; +1: on the upper; 0: on none. */
static int side(const exact *e, int i)
{
  return mpq_sgn(e->x[i]) == 0 ? -1 : mpq_cmp_ui(e->x[i], 1, 1) == 0 ? 1 : 0;
}

/* v = drift + sum of the pushes, with lambda of the faces in `held`.  at: -1 or +1. */
static void speeds(exact *e, const problem *p, int k, const int *at)
{
  for (int i = 0; i < 2; i++) {
    mpq_set_si(e->v[i], p->drift[k][i], 8);
    mpq_canonicalize(e->v[i]);
    for (int j = 0; j < 2; j++) {
      mpq_set_si(e->t, -at[j] * p->along[j][i], 4);
      mpq_canonicalize(e->t);
      mpq_mul(e->t, e->t, e->lambda[j]);
      mpq_add(e->v[i], e->v[i], e->t);
    }
  }
}

/* lambda of the faces in the set: v_i = 0 there, by Cramer's rule. */
static void reactions(exact *e, const problem *p, int k, const int *at, unsigned set)
{
  for (int j = 0; j < 2; j++)
    mpq_set_ui(e->lambda[j], 0, 1);
  speeds(e, p, k, at);
  if (set == 3) {
    long det = 16 - p->along[0][1] * p->along[1][0];
    for (int j = 0; j < 2; j++) { /* rows: v_i; columns: -at_j along[j][i] / 4 */
      int o = 1 - j;
      mpq_set_si(e->a, 4 * at[j], 1);
      mpq_mul(e->a, e->a, e->v[j]);
      mpq_set_si(e->b, -at[j] * p->along[o][j], 1);
      mpq_mul(e->b, e->b, e->v[o]);
      mpq_add(e->lambda[j], e->a, e->b);
      mpq_set_si(e->t, 4, (unsigned long)det);
      mpq_canonicalize(e->t);
      mpq_mul(e->lambda[j], e->lambda[j], e->t);
    }
    return;
  }
  for (int j = 0; j < 2; j++)
    if (set >> j & 1) {
      mpq_set_si(e->a, at[j], 1);
      mpq_mul(e->lambda[j], e->a, e->v[j]);
    }
}

/* Is the set of faces the one that is held? */
static int consistent(exact *e, const problem *p, int k, const int *at, unsigned set)
{
  for (int j = 0; j < 2; j++)
    if ((set >> j & 1) && at[j] == 0)
      return 0;
  reactions(e, p, k, at, set);
  speeds(e, p, k, at);
  for (int j = 0; j < 2; j++)
    if (mpq_sgn(e->lambda[j]) < 0 || (at[j] && at[j] * mpq_sgn(e->v[j]) > 0))
      return 0;
  return 1;
}

/* To the next bound, or the end of the interval. */
static void advance(exact *e, const problem *p, int k)
{
  int at[] = {side(e, 0), side(e, 1)};
  unsigned set = 0;

  while (set < 4 && !consistent(e, p, k, at, set))
    set++;
  assert_true(set < 4);
  mpq_set(e->dt, e->left);
  for (int i = 0; i < 2; i++) {
    int s = mpq_sgn(e->v[i]);
    if (s == 0)
      continue;
    mpq_set_ui(e->t, s > 0, 1);
    mpq_sub(e->t, e->t, e->x[i]);
    mpq_div(e->t, e->t, e->v[i]);
    if (mpq_cmp(e->t, e->dt) < 0)
      mpq_set(e->dt, e->t);
  }
  for (int i = 0; i < 2; i++) {
    mpq_mul(e->t, e->v[i], e->dt);
    mpq_add(e->x[i], e->x[i], e->t);
    mpq_mul(e->t, e->lambda[i], e->dt);
    if (at[i])
      mpq_add(e->push[i][at[i] > 0], e->push[i][at[i] > 0], e->t);
  }
  mpq_sub(e->left, e->left, e->dt);
}

static int wind(double t, const double *x, double *f, const brink_env *e)
{
  (void)t, (void)x;
  f[0] = e->u[0];
  f[1] = e->u[1];
  return 0;
}

static int turn(brink_jump *j)
{
  const problem *p = j->user;
  int k = (int)lround(2 * j->t);

  for (int i = 0; k < INTERVALS && i < 2; i++)
    j->u[i] = p->drift[k][i] / 8.;
  return 0;
}

static void draw(uint64_t *seed, problem *p)
{
  for (int i = 0; i < 2; i++) {
    p->start[i] = (int)(rand_u64(seed) % 9);
    p->along[i][i] = 4;
    p->along[i][1 - i] = (int)(rand_u64(seed) % 7) - 3;
    for (int k = 0; k < INTERVALS; k++)
      p->drift[k][i] = (int)(rand_u64(seed) % 33) - 16;
  }
}

static void compare(const problem *p, exact *e)
{
  static const double lower[] = {0, 0}, upper[] = {1, 1};
  const double u[] = {p->drift[0][0] / 8., p->drift[0][1] / 8.};
  double along[4], x0[6] = {p->start[0] / 8., p->start[1] / 8.};
  brink_timer_def timer = {.name = "turn", .at = 0.5, .every = 0.5, .jump = turn};
  brink_sim_opts opt = tight();

  for (int i = 0; i < 4; i++)
    along[i] = p->along[i / 2][i % 2] / 4.;
  brink_reflected_def def = {.name = "wind",
                             .n = 2,
                             .rhs = wind,
                             .lower = lower,
                             .upper = upper,
                             .along = along,
                             .timers = &timer,
                             .n_timers = 1,
                             .u = u,
                             .n_u = 2,
                             .user = (void *)(uintptr_t)p};
  rig r = rig_reflected(&def, &opt, x0);
  each(e, init);
  for (int i = 0; i < 2; i++) {
    mpq_set_si(e->x[i], p->start[i], 8);
    mpq_canonicalize(e->x[i]);
  }
  for (int k = 0; k < INTERVALS; k++) {
    mpq_set_ui(e->left, 1, 2);
    while (mpq_sgn(e->left) > 0)
      advance(e, p, k);
    if (brink_sim_run(r.sim, (k + 1) / 2.) != BRINK_END)
      fail_msg("%s", brink_sim_error(r.sim)->text);
    const double *y = brink_sim_state(r.sim);
    for (int i = 0; i < 2; i++) {
      check_near(y[i], mpq_get_d(e->x[i]), 1e-12);
      check_near(y[2 + 2 * i], mpq_get_d(e->push[i][0]), 1e-11);
      check_near(y[3 + 2 * i], mpq_get_d(e->push[i][1]), 1e-11);
    }
  }
  each(e, clear);
  rig_free(&r);
}

static void oblique_pushes_in_a_square_are_exact(void **state)
{
  int n = (int)random_cases("BRINK_REFLECTED_CASES", 200);
  uint64_t seed = 20261117;
  problem p;
  exact e;

  (void)state;
  for (int k = 0; k < n; k++) {
    draw(&seed, &p);
    compare(&p, &e);
  }
}

/* At first nothing but the push at the upper bound of x2 presses x1 onto its lower
 * bound, then nothing at all, then the drift. */
static void a_bound_onto_which_another_push_presses_is_left_and_met(void **state)
{
  const problem p = {.along = {{4, 2}, {3, 4}},
                     .drift = {{0, 13}, {0, -9}, {-9, -12}, {16, 14}},
                     .start = {0, 4}};
  exact e;

  (void)state;
  compare(&p, &e);
}

/* x2 meets its upper bound where the drift becomes 0, and is led out later. */
static void a_bound_that_is_met_at_a_known_time_holds_later(void **state)
{
  const problem p = {.along = {{4, 0}, {0, 4}},
                     .drift = {{0, 8}, {0, 0}, {0, 8}, {0, 0}, {0, -8}},
                     .start = {4, 4}};
  exact e;

  (void)state;
  compare(&p, &e);
}

/* Both bounds of a corner are on their zeros where the drift turns out of it. */
static void a_corner_that_is_met_at_a_known_time_holds(void **state)
{
  const problem p = {.along = {{4, -3}, {3, 4}},
                     .drift = {{3, -2}, {-11, 0}, {-14, -6}, {-12, 11}, {8, 8}},
                     .start = {4, 1}};
  exact e;

  (void)state;
  compare(&p, &e);
}

/* The same directions as text, in rows of a matrix. */
static void a_matrix_has_one_row_for_each_element(void **state)
{
  static const char text[] =
      "model corner\n  parameter Real R[2, 2] = [1, -0.5; 0.25, 1];\n"
      "  Real x[2](start = {0.5, 0.4}, each fixed = true, each min = 0)\n"
      "    annotation(__brink(reflect = R));\nequation\n"
      "  der(x) = {-1, -0.5};\nend corner;\n";
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);

  (void)state;
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  /* x[1] = 0 from 0.5 on with L1' = 1, x[2]' = -1 from 0.15; then both */
  double t = 0.5 + 0.15, both = 2 - t;
  check_near(rig_value(&r, "x[1]"), 0, 0);
  check_near(rig_value(&r, "x[2]"), 0, 0);
  check_near(rig_value(&r, "x[1].L_min"), 0.15 + both * (1 - 0.25 * 0.5) / 1.125,
             1e-12);
  check_near(rig_value(&r, "x[2].L_min"), both * (0.5 + 0.5) / 1.125, 1e-12);
  rig_free(&r);
}

/* The drift at the bound of y depends on x, slowly, so that no small change of x turns
 * it; x has a bound of its own, far away. */
static void a_bound_whose_speed_depends_on_another_state_is_held(void **state)
{
  static const char text[] =
      "model depends\n  Real x(start = 0.5, fixed = true, max = 2)\n"
      "    annotation(__brink(reflect = {1, 0.6}));\n"
      "  Real y(start = 0.05, fixed = true, min = 0.05)\n"
      "    annotation(__brink(reflect = {0.9, 1}));\n"
      "equation\n  der(x) = 0;\n  der(y) = 0.03*x - 0.3*y - 0.235;\nend depends;\n";
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);
  double x = 25. / 3 + (0.5 - 25. / 3) * exp(-0.027 * 3);

  (void)state;
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  check_near(rig_value(&r, "x"), x, 1e-10);
  check_near(rig_value(&r, "y"), 0.05, 0);
  check_near(rig_value(&r, "y.L_min"), (x - 0.5) / 0.9, 1e-10);
  assert_int_equal(rig_events(&r), 2);
  rig_free(&r);
}

/* A corner of two states, one some thousand, the other some millionths large. */
static void faces_in_different_units_are_left(void **state)
{
  static const char text[] =
      "model units\n  Real x(start = 0, fixed = true, min = 0, nominal = 1e3)\n"
      "    annotation(__brink(reflect = {1e3, 0.3e-6}));\n"
      "  Real z(start = 0, fixed = true, min = 0, nominal = 1e-6)\n"
      "    annotation(__brink(reflect = {-400, 1e-6}));\n"
      "equation\n  der(x) = 1e3*(time - 1);\n  der(z) = 1e-6*(0.5*time - 1);\n"
      "end units;\n";
  static const double lifts[] = {7. / 6, 2};
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);
  int n = 0;

  (void)state;
  check_status(brink_sim_run(r.sim, 2.5), BRINK_END);
  for (size_t k = 0; k < rig_events(&r); k++)
    if (rig_event(&r, k).kind == BRINK_KIND_LIFT)
      check_near(rig_event(&r, k).t, lifts[n++], 1e-11);
  assert_int_equal(n, 2);
  check_near(rig_value(&r, "x.L_min"), (1.4 * 7 / 6 - 0.6 * 49 / 36) / 1.12, 1e-11);
  check_near(rig_value(&r, "z.L_min"), 0.78125, 1e-11);
  rig_free(&r);
}

/* A row of stores that run empty one after the other. */
static void many_bounds_are_held_at_once(void **state)
{
  static const char text[] =
      "model stores\n  parameter Integer n = 23;\n"
      "  Real x[n](start = {0.1*i for i in 1:n}, each fixed = true, each min = 0)\n"
      "    annotation(__brink(reflect = identity(n)));\n"
      "equation\n  der(x) = fill(-1, n);\nend stores;\n";
  brink_sim_opts opt = brink_sim_defaults();
  rig r = of_text(text, &opt);

  (void)state;
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  for (int i = 1; i <= 23; i++) {
    char name[24];
    snprintf(name, sizeof name, "x[%d]", i);
    check_near(rig_value(&r, name), 0, 0);
    snprintf(name, sizeof name, "x[%d].L_min", i);
    check_near(rig_value(&r, name), 3 - 0.1 * i, 1e-12);
  }
  rig_free(&r);
}

/* More than can be held are no silent way out. */
static void more_bounds_than_can_be_held_end_the_run(void **state)
{
  static const char text[] =
      "model stores\n  parameter Integer n = 65;\n"
      "  Real x[n](each start = 0.5, each fixed = true, each min = 0)\n"
      "    annotation(__brink(reflect = identity(n)));\n"
      "equation\n  der(x) = fill(-1, n);\nend stores;\n";
  brink_sim_opts opt = brink_sim_defaults();
  rig r = of_text(text, &opt);

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "more than 64 contacts or bounds");
  check_near(brink_sim_time(r.sim), 0.5, 1e-12);
  rig_free(&r);
}

/* -------------------------------------------------------- ramp metering ---- */

/* An empty queue lets in no more cars than arrive: what is not let in pushes the queue
 * by 1 and the density by -1/length.  Against the model with modes. */
static void ramp_metering_is_a_reflected_path(void **state)
{
  static const char text[] =
      "model ramp\n  parameter Real l = 4, w1 = 2, w2 = 1, a = 0.1;\n"
      "  Real x1(start = -0.5, fixed = true);\n"
      "  Real x2(start = 1, fixed = true, min = 0)\n"
      "    annotation(__brink(reflect = {-1/l, 1}));\n"
      "  Real rho = x1 + 1, out = rho*(1 - rho/2), u, inflow;\nequation\n"
      "  inflow = if time < 5 then 0.6 elseif time < 10 then 0.3 else 0.6;\n"
      "  u = max(0, if x1 > 0 then (-(w1*x1 + w2*x2) - w1/l*(inflow - out) - w2*a)/\n"
      "    (w1/l - w2) else ((-w1*x1 + w2*x2) - w1/l*(inflow - out) + w2*a)/\n"
      "    (w1/l + w2));\n"
      "  der(x1) = (inflow - out + u)/l;\n  der(x2) = a - u;\nend ramp;\n";
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);
  size_t seen = 0;

  (void)state;
  check_status(brink_sim_run(r.sim, DONOLO_RAMP_END), BRINK_END);
  for (size_t k = 0; k < DONOLO_RAMP_EVENTS; k++) {
    const donolo_ramp_event *want = &donolo_ramp_events[k];
    int empties = strcmp(want->name, "empty") == 0,
        fills = strcmp(want->name, "fills") == 0;
    for (size_t m = 0; (empties || fills) && m < rig_events(&r); m++) {
      brink_event e = rig_event(&r, m);
      if (e.kind != (empties ? BRINK_KIND_REST : BRINK_KIND_LIFT) ||
          fabs(e.t - want->t) > 1e-6)
        continue;
      check_near(e.t, want->t, 1e-8);
      check_near(e.y_after[0], want->x[0], 1e-8);
      check_near(e.y_after[1], want->x[1], 1e-8);
      seen++;
    }
  }
  print_message("%zu events of the queue\n", seen);
  assert_int_equal(seen, 7);
  check_near(brink_sim_state(r.sim)[0], donolo_ramp_end[0], 1e-8);
  rig_free(&r);
}

/* ----------------------------------------------------------- refused ---- */

static void a_push_outward_is_refused(void **state)
{
  static const double pull[] = {-1};
  brink_reflected_def def = path;
  brink_model *model = NULL;
  brink_ctx *ctx = NULL;

  (void)state;
  assert_int_equal(brink_ctx_new(NULL, &ctx), BRINK_OK);
  def.along = pull;
  check_status(brink_reflected_new(ctx, &def, &model), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "its own one positive");
  assert_null(model);
  brink_ctx_free(ctx);
}

static void a_start_outside_is_pushed_back_at_once(void **state)
{
  static const double outside[] = {-0.5, 0};
  brink_sim_opts opt = tight();
  rig r = rig_reflected(&path, &opt, outside);

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(brink_sim_state(r.sim)[0], sin(1) - 0.4, 1e-11);
  check_near(brink_sim_state(r.sim)[1], 0.5, 1e-15);
  rig_free(&r);
}

/* -------------------------------------------- beyond several bounds ---- */

enum { SIDES = 4 };

/* A draw in [-1, 1]. */
static double uniform(uint64_t *seed)
{
  return (double)(rand_u64(seed) % 2001) / 1000 - 1;
}

/* Rows of a P-matrix: the rest of each row weighs less than 1. */
static void draw_along(uint64_t *seed, int n, double *along)
{
  for (int i = 0; i < n; i++)
    for (int m = 0; m < n; m++)
      along[i * n + m] = i == m ? 1 : 0.95 / (n - 1) * uniform(seed);
}

/* sum of z_j over the set, z_j along[j][i] = -y_i for i in it: by elimination, without
 * pivots, since each leading minor is positive. */
static void pushes_of(unsigned set, int n, const double *along, const double *y,
                      double *z)
{
  double a[SIDES][SIDES + 1];
  int in[SIDES], k = 0;

  for (int i = 0; i < n; i++) {
    z[i] = 0;
    if (set >> i & 1)
      in[k++] = i;
  }
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++)
      a[i][j] = along[in[j] * n + in[i]];
    a[i][k] = -y[in[i]];
  }
  for (int p = 0; p < k; p++)
    for (int i = 0; i < k; i++) {
      double factor = a[i][p] / a[p][p];
      for (int j = p; j <= k && i != p; j++)
        a[i][j] -= factor * a[p][j];
    }
  for (int i = 0; i < k; i++)
    z[in[i]] = a[i][k] / a[i][i];
}

/* The jump of the reflected path from y: the set of bounds with pushes >= 0 that leaves
 * no component negative. */
static void exact_jump(int n, const double *along, double *y, double *z)
{
  for (unsigned set = 0; set >> n == 0; set++) {
    double to[SIDES];
    int fits = 1;
    pushes_of(set, n, along, y, z);
    for (int i = 0; i < n; i++) {
      to[i] = y[i];
      for (int j = 0; j < n; j++)
        to[i] += z[j] * along[j * n + i];
      fits = fits && z[i] >= 0 && to[i] > -1e-14;
    }
    if (fits) {
      memcpy(y, to, sizeof *y * (size_t)n);
      return;
    }
  }
  fail_msg("no set of bounds fits");
}

static int no_drift(double t, const double *y, double *f, const brink_env *env)
{
  (void)t, (void)y, (void)env;
  memset(f, 0, SIDES * sizeof *f); /* two components or more, and their pushes */
  return 0;
}

static const char *list_of(char *text, size_t size, const double *v, int n, int rows)
{
  size_t used = 0;

  for (int i = 0; i < rows * n; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%.17g",
                             i == 0       ? ""
                             : i % n == 0 ? "; "
                                          : ", ",
                             v[i]);
  return text;
}

/* As text with a reset, from C with a start. */
static void check_jump(int n, const double *along, const double *from_y)
{
  static const double lower[SIDES] = {0};
  double y[SIDES], z[SIDES], x0[2 * SIDES] = {0};
  char text[2000], matrix[600], to[200], name[24];
  brink_sim_opts opt = tight();
  brink_reflected_def def = {
      .n = (size_t)n, .rhs = no_drift, .lower = lower, .along = along};

  memcpy(y, from_y, sizeof *y * (size_t)n);
  memcpy(x0, from_y, sizeof *y * (size_t)n);
  exact_jump(n, along, y, z);
  rig c = rig_reflected(&def, &opt, x0);
  snprintf(text, sizeof text,
           "model B\n  Real x[%d](each start = 0.5, each fixed = true, each min = 0)\n"
           "    annotation(__brink(reflect = [%s]));\nequation\n  der(x) = zeros(%d);\n"
           "  when time >= 0.37 then\n    reinit(x, {%s});\n  end when;\nend B;\n",
           n, list_of(matrix, sizeof matrix, along, n, n), n,
           list_of(to, sizeof to, from_y, n, 1));
  rig r = of_text(text, &opt);
  rig_run_to(&c, 0.5);
  rig_run_to(&r, 0.5);
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "x[%d]", i + 1);
    check_near(rig_value(&r, name), y[i], 1e-13);
    check_near(brink_sim_state(c.sim)[i], y[i], 1e-13);
    snprintf(name, sizeof name, "x[%d].L_min", i + 1);
    check_near(rig_value(&r, name), z[i], 1e-12);
    check_near(brink_sim_state(c.sim)[n + i], z[i], 1e-12);
  }
  rig_free(&c);
  rig_free(&r);
}

static void jumps_beyond_bounds_are_those_of_a_reflected_path(void **state)
{
  int cases = (int)random_cases("BRINK_REFLECTED_CASES", 60);
  uint64_t seed = 20261119;

  (void)state;
  for (int k = 0; k < cases; k++) {
    int n = 2 + k % (SIDES - 1);
    double along[SIDES * SIDES], y[SIDES];
    draw_along(&seed, n, along);
    for (int i = 0; i < n; i++)
      y[i] = rand_u64(&seed) % 4 ? uniform(&seed) : 0;
    check_jump(n, along, y);
  }
}

/* Only x[1] is beyond; its push takes x[2], which rests, beyond its bound. */
static void a_push_that_takes_another_beyond_is_answered_with_it(void **state)
{
  static const char text[] =
      "model M\n  parameter Real R[2, 2] = [1, -0.5; 0.5, 1];\n"
      "  Real x[2](start = {0.3, 0}, each fixed = true, each min = 0)\n"
      "    annotation(__brink(reflect = R));\nequation\n  der(x) = {0, -1e-9};\n"
      "  when time >= 1 then\n    reinit(x[1], -0.4);\n  end when;\nend M;\n";
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);

  (void)state;
  rig_run_to(&r, 2.5);
  /* with what pushes against the drift of x[2], before and after */
  check_near(rig_value(&r, "x[1]"), 0.5 * 1.5e-9, 1e-15);
  check_near(rig_value(&r, "x[2]"), 0, 1e-15);
  check_near(rig_value(&r, "x[1].L_min"), 0.32, 1e-12);
  check_near(rig_value(&r, "x[2].L_min"), 0.16 + 2.5e-9, 1e-12);
  rig_free(&r);
}

/* Each push takes the other variable farther beyond than its own one back. */
static void a_reset_that_no_pushes_undo_ends_the_run(void **state)
{
  static const char text[] =
      "model N\n  Real x[2](start = {0.3, 0.2}, each fixed = true, each min = 0)\n"
      "    annotation(__brink(reflect = [1, -2; -2, 1]));\nequation\n"
      "  der(x) = {0, 0};\n"
      "  when time >= 1 then\n    reinit(x[1], -0.4);\n  end when;\nend N;\n";
  static const double along[] = {1, -2, -2, 1}, x0[] = {-0.4, 0.2, 0, 0},
                      lower[] = {0, 0};
  brink_reflected_def def = {.n = 2, .rhs = no_drift, .lower = lower, .along = along};
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt), c = {0};

  (void)state;
  assert_true(brink_sim_run(r.sim, 2) < 0);
  check_text(brink_sim_error(r.sim)->text, "look at the signs");
  rig_free(&r);
  assert_int_equal(brink_ctx_new(NULL, &c.ctx), BRINK_OK);
  assert_int_equal(brink_reflected_new(c.ctx, &def, &c.model), BRINK_OK);
  assert_int_equal(brink_sim_new(c.ctx, c.model, &opt, &c.sim), BRINK_OK);
  brink_status rc = brink_sim_start(c.sim, 0, 0, x0);
  assert_true((rc < 0 ? rc : brink_sim_run(c.sim, 1)) < 0);
  check_text(brink_sim_error(c.sim)->text, "look at the signs");
  rig_free(&c);
}

/* x' = -1 - x from -0.3, as text: 0.3 at the start, and then 1 in each unit of time. */
static void a_text_that_starts_outside_is_pushed_back_at_once(void **state)
{
  static const char text[] =
      "model S\n  Real x(start = -0.3, fixed = true, min = 0)\n"
      "    annotation(__brink(reflect = {1}));\nequation\n  der(x) = -1 - x;\n"
      "end S;\n";
  brink_sim_opts opt = tight();
  rig r = of_text(text, &opt);

  (void)state;
  rig_run_to(&r, 1.7);
  check_near(rig_value(&r, "x"), 0, 1e-15);
  check_near(rig_value(&r, "x.L_min"), 0.3 + 1.7, 1e-11);
  rig_free(&r);
}

/* The push grows while the bound is held only: that it was small before is no reason
 * for a warning, unless it is so when the bound is left. */
static void a_push_that_grows_while_it_is_held_is_not_small(void **state)
{
  static const char text[] =
      "model R\n  parameter Real r[1] = {1}, s = 1;\n"
      "  Real x(start = 0.5, fixed = true, max = 1) annotation(__brink(reflect = r));\n"
      "equation\n  der(x) = if time < 0.5 then 1 elseif time < 1 then s else -1;\n"
      "end R;\n";

  (void)state;
  for (int small = 0; small < 2; small++) {
    brink_sim_opts opt = brink_sim_defaults();
    rig r = of_text(text, &opt);
    check_status(brink_sim_set(r.sim, "s", small ? 1e-9 : 1), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    rig_run_to(&r, 1.5);
    check_near(rig_value(&r, "x.L_max"), small ? 5e-10 : 0.5, 1e-13);
    assert_int_equal(rig_warns(&r, "'x.L_max' is never larger"), small);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_dimension_to_1e_10),
      cmocka_unit_test(with_every_method),
      cmocka_unit_test(two_bounds),
      cmocka_unit_test(oblique_pushes_in_a_square_are_exact),
      cmocka_unit_test(a_bound_onto_which_another_push_presses_is_left_and_met),
      cmocka_unit_test(a_bound_that_is_met_at_a_known_time_holds_later),
      cmocka_unit_test(a_corner_that_is_met_at_a_known_time_holds),
      cmocka_unit_test(a_matrix_has_one_row_for_each_element),
      cmocka_unit_test(a_bound_whose_speed_depends_on_another_state_is_held),
      cmocka_unit_test(faces_in_different_units_are_left),
      cmocka_unit_test(many_bounds_are_held_at_once),
      cmocka_unit_test(more_bounds_than_can_be_held_end_the_run),
      cmocka_unit_test(ramp_metering_is_a_reflected_path),
      cmocka_unit_test(a_push_outward_is_refused),
      cmocka_unit_test(a_start_outside_is_pushed_back_at_once),
      cmocka_unit_test(jumps_beyond_bounds_are_those_of_a_reflected_path),
      cmocka_unit_test(a_push_that_takes_another_beyond_is_answered_with_it),
      cmocka_unit_test(a_reset_that_no_pushes_undo_ends_the_run),
      cmocka_unit_test(a_text_that_starts_outside_is_pushed_back_at_once),
      cmocka_unit_test(a_push_that_grows_while_it_is_held_is_not_small),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
