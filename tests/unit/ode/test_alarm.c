/* test_alarm.c -- steps that hide a kink from the error estimate are not kept; and what
 * that costs where f is smooth.
 *
 * The kinks are of quadratures, f = c(t) + J (t - T)+: what a step should have reached
 * is known, whatever came before.  The size of the steps is given, so that the kink is
 * at any part of a step. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "ode/integrator.h"
#include "problems.h"

static const double H = 0.1; /* size of the steps */

enum { BEFORE = 3, STEPS = 8 }; /* steps until the kink is in one, mostly, and all */

/* dopri5 without alarms: its glance sees nothing. */
static double nothing(void *state, brink__gate *gate, const brink__tol *tol, double t,
                      double h, const double *y, double x)
{
  (void)state, (void)gate, (void)tol, (void)t, (void)h, (void)y, (void)x;
  return 0;
}

static brink_method deaf(void)
{
  brink_method m = brink__dopri5;

  m.glance = nothing;
  return m;
}

/* ------------------------------------------------------------ one kink ---- */

typedef struct kink {
  double jump, t, way; /* J, T; 1: time goes on, -1: backwards */
  double tol;
  size_t n;
  double leap;  /* f has jumped by this at LEAPT                   */
  double pause; /* a short step begins here, 0: none               */
} kink;

static const double LEAPT = 0.137, SHORTLY = 0.002;

static double behind(const kink *k, double t) { return fmax(k->way * (t - k->t), 0); }

static double leapt(const kink *k, double t) { return k->leap * fmax(t - LEAPT, 0); }

/* The quadrature, alone or beside a circle. */
static int rhs(double t, const double *y, double *f, void *user)
{
  const kink *k = user;

  f[0] = 0.7 + 0.3 * cos(t) + k->jump * behind(k, t) + (t > LEAPT ? k->leap : 0);
  if (k->n > 1) {
    f[1] = y[2];
    f[2] = -y[1];
  }
  return 0;
}

static double integral(const kink *k, double t)
{
  double s = behind(k, t);

  return 0.7 * t + 0.3 * sin(t) + k->way * k->jump * s * s / 2 + leapt(k, t);
}

/* By how many tolerances a step is wrong, in the norm of the integrator. */
static double wrong(const kink *k, double t0, double y0, double t1, double y1)
{
  double by = y1 - y0 - (integral(k, t1) - integral(k, t0));

  return fabs(by) / k->tol / sqrt((double)k->n);
}

static brink_integrator *start(brink_ctx *ctx, kink *k, double *t, double *y)
{
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ivp ivp = {k->n, rhs, k};
  brink_integrator *it = NULL;

  o.rtol = 0;
  o.atol = k->tol;
  o.h0 = o.h_max = H;
  *t = 0;
  memcpy(y, (double[]){0.1, 0.3, 0.2}, 3 * sizeof(double));
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, *t, y), BRINK_OK);
  return it;
}

/* The most that a step of this method is wrong by, and what it took. */
static double worst(brink_ctx *ctx, kink *k, const brink_method *method,
                    brink_work *work)
{
  double t, y[3], most = 0;
  brink_integrator *it = start(ctx, k, &t, y);

  it->method = it->acting = method;
  const double until[] = {k->pause, k->pause + SHORTLY, k->way * STEPS * H};
  for (int i = k->pause > 0 ? 0 : 2; i < 3; i++) {
    brink_status rc;
    while ((rc = brink_integrator_advance(it, until[i], NULL)) == BRINK_OK) {
      double t1 = brink_integrator_time(it), y1 = brink_integrator_state(it)[0];
      most = fmax(most, wrong(k, t, y[0], t1, y1));
      t = t1;
      y[0] = y1;
    }
    check_status(rc, BRINK_END);
    if (i == 1) /* it was not quite smooth, either */
      it->course = (brink__course){SHORTLY, 0.02, 1, 1};
  }
  *work = brink_integrator_work(it);
  brink_integrator_free(it);
  return most;
}

/* Of the kinks that the estimate hides, those that it hides at once and those that it
 * hides in a second attempt: how many there are, in how many a step is still wrong by
 * more than three tolerances, and by how much; and what it took. */
typedef struct hidden {
  int all, over;
  double most;
  long f;
} hidden;

/* Kinks of all sizes at all parts of a step.  Hidden are those for which a step is
 * wrong by 3 to 40 tolerances if there are no alarms. */
static void try_kinks(size_t n, double tol, double way, int before, double leap,
                      hidden sum[2])
{
  const brink_method without = deaf();
  brink_ctx *ctx = NULL;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int i = 1; i < 100; i++)
    for (double size = 30; size < 3e4; size *= 1.3) {
      kink k = {
          size * tol / (H * H),     way * (before + i / 100.0) * H, way, tol, n, leap,
          leap > 0 ? before * H : 0};
      k.t += leap > 0 ? SHORTLY : 0;
      brink_work alone, with;
      double bare = worst(ctx, &k, &without, &alone);
      if (!(bare > 3 && bare < 40))
        continue;
      double by = worst(ctx, &k, &brink__dopri5, &with);
      hidden *is = &sum[alone.rejected > 0];
      is->all++;
      is->f += with.f_evals;
      is->over += by > 3;
      is->most = fmax(is->most, by);
    }
  for (int k = 0; k < 2; k++)
    print_message(
        "%zu states, tol %.0e, %s%s: %d kinks hidden, %d above 3, most %.2f\n", n, tol,
        k ? "in a second attempt" : "at once", way < 0 ? ", backwards" : "", sum[k].all,
        sum[k].over, sum[k].most);
  brink_ctx_free(ctx);
}

/* A second attempt may have the kink just where the estimate is nothing. */
static void check_kinks(size_t n, double tol, double way)
{
  hidden sum[2] = {{0}};

  try_kinks(n, tol, way, BEFORE, 0, sum);
  check_in(sum[0].all, 600, 1e9);
  check_in(sum[0].most, 0, 3);
  check_in(sum[1].all, 50, 1e9);
  check_in(sum[1].over, 0, 1);
}

static void no_step_over_a_hidden_kink_is_wrong_by_three_tolerances(void **state)
{
  (void)state;
  check_kinks(1, 1e-4, 1);
  check_kinks(1, 1e-6, 1);
  check_kinks(3, 1e-4, 1);
  check_kinks(3, 1e-6, 1);
}

/* With one state the way back is the mirror image of the way there. */
static void nor_backwards(void **state)
{
  hidden there[2] = {{0}}, back[2] = {{0}};

  (void)state;
  check_kinks(3, 1e-4, -1);
  try_kinks(1, 1e-8, 1, BEFORE, 0, there);
  try_kinks(1, 1e-8, -1, BEFORE, 0, back);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(back[k].all, there[k].all);
    assert_int_equal(back[k].over, there[k].over);
    assert_int_equal(back[k].f, there[k].f);
    check_near(back[k].most, there[k].most, 1e-6);
  }
}

/* There is nothing to compare the first step with, nor what is left of it if it is
 * halved for an alarm. */
static void nor_is_the_first_one(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 3; n += 2) {
    hidden sum[2] = {{0}};
    try_kinks(n, 1e-6, 1, 0, 0, sum);
    check_in(sum[0].all, 600, 1e9);
    check_in(sum[0].over, 0, 0);
    check_in(sum[1].all, 50, 1e9);
    check_in(sum[1].over, 0, 25);
  }
}

/* A step that is many times shorter lets nothing be expected of the next. */
static void nor_one_behind_a_short_one(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 3; n += 2) {
    hidden sum[2] = {{0}};
    try_kinks(n, 1e-6, 1, BEFORE, 0.9, sum);
    check_in(sum[1].all, 400, 1e9); /* the jump was a rejected step */
    check_in(sum[1].over, 0, 20);
  }
}

/* Where the smooth part of f alone lets expect as much, a kink is no surprise. */
static void few_are_wrong_by_more_than_that_where_steps_are_long(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 3; n += 2) {
    hidden sum[2] = {{0}};
    try_kinks(n, 1e-8, 1, BEFORE, 0, sum);
    check_in(sum[0].all + sum[1].all, 700, 1e9);
    check_in(sum[0].over + sum[1].over, 0, n == 1 ? 6 : 21);
    check_in(fmax(sum[0].most, sum[1].most), 0, n == 1 ? 7.5 : 6);
  }
}

/* -------------------------------------------------------------- glances ---- */

static int bent(double t, const double *y, double *f, void *user)
{
  (void)user;
  f[0] = y[1] + 0.2 * t * y[2];
  f[1] = -sin(y[0]) + 3 * fmax(t - 0.53, 0);
  f[2] = y[0] * y[1] - 0.3 * y[2];
  return 0;
}

/* Over the tolerance, in the norm of the integrator. */
static double defect(const brink_integrator *it, const brink_step *step, double x)
{
  double y[3], f[3], slope[3], y0[3], y1[3], sum = 0;

  brink_step_at(step, x, y);
  brink_step_at(step, 0, y0);
  brink_step_at(step, 1, y1);
  brink_step_slope(step, x, slope);
  bent(step->t0 + x * step->h, y, f, NULL);
  for (size_t i = 0; i < 3; i++) {
    double r = step->h * (f[i] - slope[i]) / brink__scale(&it->tol, i, y0[i], y1[i]);
    sum += r * r;
  }
  return sqrt(sum / 3);
}

static void a_glance_is_the_defect_of_the_polynomial(void **state)
{
  static const double y0[] = {0.4, -0.3, 0.9}, places[] = {0.15, 0.37, 0.5, 0.9};
  brink_ctx *ctx = NULL;
  brink_integrator_opts o = brink_integrator_defaults();
  brink_integrator *it = NULL;
  brink_ivp ivp = {3, bent, NULL};
  double h = 0.21, got[4], coeff[3 * 5];
  brink__outcome out = {0};

  (void)state;
  o.rtol = 1e-5;
  o.atol = 1e-7;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, 0.4, y0), BRINK_OK);
  const brink_method *m = it->method;
  check_status(m->attempt(it->state, &it->gate, &it->tol, 0.4, &h, y0, &out), BRINK_OK);
  long before = it->gate.f_evals;
  for (int k = 0; k < 4; k++)
    got[k] = m->glance(it->state, &it->gate, &it->tol, 0.4, h, y0, places[k]);
  assert_int_equal(it->gate.f_evals, before + 4);
  int degree = m->accept(it->state, 3, h, y0, coeff);
  brink_step step = {.t0 = 0.4, .h = h, .n = 3, .degree = degree, .coeff = coeff};
  assert_int_equal(degree, 4);
  for (int k = 0; k < 4; k++) {
    check_rel(got[k], defect(it, &step, places[k]), 1e-9);
    check_in(got[k], 1, 1e6);
  }
  brink_integrator_free(it);
  brink_ctx_free(ctx);
}

/* What is left of a flow when nothing is hidden in it, or nothing may be looked at. */
typedef struct watched {
  brink_flow flow;
  long calls;
} watched;

static int watched_rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  (void)y;
  ((watched *)flow->self)->calls++;
  f[0] = 0.7 + 0.3 * cos(t) + 2e-3 * fmax(t - 0.353, 0);
  return 0;
}

static int always(const brink_flow *flow, double t, const double *y)
{
  (void)flow, (void)t, (void)y;
  return 1;
}

static brink_work watch(int told, int guarded)
{
  watched w = {.flow = {.n = 1,
                        .rhs = watched_rhs,
                        .told = told,
                        .guarded = guarded,
                        .inside = always,
                        .reason = brink__no_reason}};
  static const double y0[] = {0.1};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;

  w.flow.self = &w;
  o.rtol = 0;
  o.atol = 1e-7;
  o.h0 = o.h_max = H;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink__integrator_new(ctx, &w.flow, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, 0, y0), BRINK_OK);
  brink_status rc;
  do
    rc = brink_integrator_advance(it, 2, NULL);
  while (rc == BRINK_OK);
  check_status(rc, BRINK_END);
  brink_work work = brink_integrator_work(it);
  assert_int_equal(work.f_evals, w.calls);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return work;
}

static void what_is_told_or_unilateral_is_never_glanced_at(void **state)
{
  brink_work open = watch(0, 0), told = watch(1, 0), guarded = watch(0, 1);

  (void)state;
  check_in((double)open.look_evals, 3, 100);
  assert_int_equal(told.look_evals, 0);
  assert_int_equal(guarded.look_evals, 0);
  /* the stages of each step, and f where it began */
  assert_int_equal(told.f_evals, 6 * (told.steps + told.rejected) + 1);
  assert_int_equal(guarded.f_evals, 6 * (guarded.steps + guarded.rejected) + 1);
}

/* ------------------------------------------------------ smooth problems ---- */

static int brusselator(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 1 + y[0] * y[0] * y[1] - 4 * y[0];
  f[1] = 3 * y[0] - y[0] * y[0] * y[1];
  return 0;
}

static int lorenz(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 10 * (y[1] - y[0]);
  f[1] = y[0] * (28 - y[2]) - y[1];
  f[2] = y[0] * y[1] - 8.0 / 3 * y[2];
  return 0;
}

static int kepler(double t, const double *y, double *f, void *user)
{
  double r = hypot(y[0], y[1]), r3 = r * r * r;

  (void)t, (void)user;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -y[0] / r3;
  f[3] = -y[1] / r3;
  return 0;
}

static int pulse(double t, const double *y, double *f, void *user)
{
  double s = (t - 7.3) / 0.21;

  (void)user;
  f[0] = -0.6 * y[0] + 2.3 * exp(-s * s) + 0.4 * sin(1.1 * t);
  return 0;
}

typedef struct smooth {
  const char *name;
  size_t n;
  brink_ivp_fn *f;
  double t1;
  const double *y0;
} smooth;

static brink_work work_of(const smooth *p, const brink_method *method, double tol)
{
  double mu = 10;
  brink_ivp ivp = {p->n, p->f, &mu};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;
  brink_status rc;

  o.rtol = o.atol = tol;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  it->method = it->acting = method;
  check_status(brink_integrator_start(it, 0, p->y0), BRINK_OK);
  do
    rc = brink_integrator_advance(it, p->t1, NULL);
  while (rc == BRINK_OK || rc == BRINK_STIFF);
  check_status(rc, BRINK_END);
  brink_work w = brink_integrator_work(it);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return w;
}

/* Short runs may spend a number of evaluations before they are taken for smooth. */
enum { GIVEN = 40 };

static void smooth_problems_pay_little(void **state)
{
  static const double two_zero[] = {2, 0}, near[] = {1.5, 3}, wings[] = {1, 1, 20},
                      orbit[] = {0.4, 0, 0, 2}, low[] = {0.3};
  const brink_method without = deaf();
  const smooth all[] = {
      {"van der Pol", 2, van_der_pol, 60, two_zero},
      {"brusselator", 2, brusselator, 20, near},
      {"Lorenz", 3, lorenz, 15, wings},
      {"Kepler", 4, kepler, 30, orbit},
      {"Pleiades", PLEIADES_N, pleiades, 3, pleiades_start},
      {"pulse", 1, pulse, 20, low},
  };

  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    for (int k = 3; k <= 10; k++) {
      brink_work w = work_of(&all[i], &brink__dopri5, pow(10, -k));
      brink_work bare = work_of(&all[i], &without, pow(10, -k));
      double more = (double)w.f_evals / (double)bare.f_evals;
      print_message("%-12s 1e-%02d: %5ld f, %3ld to look;  without alarms %5ld f, %2ld"
                    " to look (%.3f)\n",
                    all[i].name, k, w.f_evals, w.look_evals, bare.f_evals,
                    bare.look_evals, more);
      assert_int_equal(w.unguarded, 0);
      check_in(more, 0, 1.08 + (k < 6 ? GIVEN / (double)bare.f_evals : 0));
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_step_over_a_hidden_kink_is_wrong_by_three_tolerances),
      cmocka_unit_test(nor_backwards),
      cmocka_unit_test(nor_is_the_first_one),
      cmocka_unit_test(nor_one_behind_a_short_one),
      cmocka_unit_test(few_are_wrong_by_more_than_that_where_steps_are_long),
      cmocka_unit_test(a_glance_is_the_defect_of_the_polynomial),
      cmocka_unit_test(what_is_told_or_unilateral_is_never_glanced_at),
      cmocka_unit_test(smooth_problems_pay_little),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
