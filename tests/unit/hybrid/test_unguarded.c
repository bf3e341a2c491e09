/* test_unguarded.c -- jumps and kinks inside f that no guard announces: found, crossed,
 * reported; and nothing is found where f is smooth.
 *
 * Each problem of switches.h is run with guards and with its switches hidden.  What
 * both should reach is the run with guards at 1e-13.  What a run costs for the accuracy
 * that it has: test_unguarded_cost.c.
 */
#include "hybrid.h"

#include <math.h>
#include <stdlib.h>

#include "ode/method.h"
#include "problems.h"
#include "switches.h"

enum { MOST = 128, TOLS = 9 }; /* problems, tolerances */

/* What each should reach, for all tests. */
static int learn(void **state)
{
  switched_run *want = calloc(MOST, sizeof *want);

  if (!want)
    return -1;
  *state = want;
  for (int i = 0; switches_at(i); i++)
    want[i] = switches_true(switches_at(i));
  return 0;
}

static int forget(void **state)
{
  free(*state);
  return 0;
}

/* ------------------------------------------------------ the same tolerance ---- */

/* How much more than with guards: evaluations of f and error (over the larger of the
 * error with guards and the tolerance), at most and how often more than twice; and how
 * many places of one problem are missed or found twice. */
typedef struct excess {
  double f;
  int dearer;
  double error;
  int worse;
  long missed;
} excess;

static void add(excess *x, double f, double error, long missed)
{
  x->f = fmax(x->f, f);
  x->dearer += f > 2;
  x->error = fmax(x->error, error);
  x->worse += !(error <= 2);
  x->missed = missed > x->missed ? missed : x->missed;
}

/* What a run with guards may be off: the largest error at this tolerance and at two
 * near by, for where errors cancel one run says little. */
static double error_with_guards(const switched *p, const switched_run *want,
                                const char *method, double tol)
{
  static const double near[] = {0.85, 1, 1.15};
  double most = 0;

  for (int i = 0; i < 3; i++) {
    switched_run a = switches_run(p, 1, method, near[i] * tol);
    most = fmax(most, switches_off(p, &a, want));
  }
  return most;
}

static void compare(const switched_run *want, const char *method, double tol,
                    excess sum[SWITCHED_CLASSES])
{
  const switched *p;

  for (int i = 0; (p = switches_at(i)); i++) {
    switched_run a = switches_run(p, 1, method, tol),
                 b = switches_run(p, 0, method, tol);
    double with = error_with_guards(p, &want[i], method, tol),
           without = switches_off(p, &b, &want[i]);
    double more = without / fmax(with, tol), f = (double)b.f / (double)a.f;

    print_message(
        "%-7s %.0e  %-16s guards: error %.1e, %5ld f;  none: error %.1e (%.1f),"
        " %5ld f (%.2f), %3ld of them to look, found %ld of %ld\n",
        method, tol, p->name, with, a.f, without, more, b.f, f, b.looks, b.unguarded,
        a.events);
    add(&sum[p->class], f, more, labs(a.events - b.unguarded));
  }
}

/* The most at one tolerance, of ordinary problems and of those with hardly more than a
 * step from jump to jump: as 56 runs with other roundings and tolerances had it, and a
 * little more. */
typedef struct allowance {
  double tol;
  excess ordinary, brief;
} allowance;

/* Bends of higher derivatives are not looked for, which the manual says. */
static const excess smoother = {2.2, 1, 2000, 3, 23};

static void check_excess(const excess *is, const excess *most)
{
  check_in(is->f, 0, most->f);
  check_in(is->dearer, 0, most->dearer);
  check_in(is->error, 0, most->error);
  check_in(is->worse, 0, most->worse);
  check_in((double)is->missed, 0, (double)most->missed);
}

/* All are printed before the first may fail. */
static void check_all(const switched_run *want, const char *method,
                      const allowance *may, int n)
{
  static const char *const names[] = {"ordinary", "brief", "smoother"};
  excess sum[TOLS][SWITCHED_CLASSES] = {{{0}}};

  for (int i = 0; i < n; i++) {
    compare(want, method, may[i].tol, sum[i]);
    for (int k = 0; k < SWITCHED_CLASSES; k++)
      print_message("%-7s %.0e  %-8s f: %.2f, %d above 2;  error: %.2f, %d above 2;"
                    "  missed %ld\n",
                    method, may[i].tol, names[k], sum[i][k].f, sum[i][k].dearer,
                    sum[i][k].error, sum[i][k].worse, sum[i][k].missed);
  }
  for (int i = 0; i < n; i++) {
    check_excess(&sum[i][ORDINARY], &may[i].ordinary);
    check_excess(&sum[i][BRIEF], &may[i].brief);
    check_excess(&sum[i][SMOOTHER], &smoother);
  }
}

/* Two switches of which the second undoes the first may pass unseen within one step:
 * the error of dop853 at 1e-5 is of the xor loop.  At 1e-4 a jump that nothing has
 * foreseen takes as many evaluations as dop853 needs from one to the next. */
static void dopri5_is_as_accurate_as_with_guards(void **state)
{
  static const allowance may[TOLS] = {
      /* f, above 2, error, above 2, missed */
      {1e-4, {2.00, 0, 2.0, 0, 14}, {2.4, 3, 1.5, 0, 1}},
      {1e-5, {1.90, 0, 1.7, 0, 9}, {2.3, 2, 1.5, 0, 1}},
      {1e-6, {1.76, 0, 1.6, 0, 4}, {2.1, 2, 1.5, 0, 1}},
      {1e-7, {1.65, 0, 1.6, 0, 2}, {2.1, 1, 1.5, 0, 1}},
      {1e-8, {1.52, 0, 1.2, 0, 2}, {2.0, 0, 1.5, 0, 1}},
      {1e-9, {1.43, 0, 1.2, 0, 2}, {1.9, 0, 1.5, 0, 1}},
      {1e-10, {1.38, 0, 1.3, 0, 1}, {1.9, 0, 1.5, 0, 1}},
      {1e-11, {1.35, 0, 1.4, 0, 1}, {2.1, 1, 3.5, 1, 1}},
      {1e-12, {1.31, 0, 1.6, 0, 1}, {2.0, 0, 2.0, 0, 1}},
  };

  check_all(*state, "dopri5", may, TOLS);
}

static void dop853_is_as_accurate_as_with_guards(void **state)
{
  static const allowance may[TOLS] = {
      {1e-4, {2.20, 1, 1.9, 0, 13}, {2.5, 3, 1.5, 0, 1}},
      {1e-5, {1.90, 0, 1.5, 0, 6}, {2.1, 1, 60, 1, 3}},
      {1e-6, {1.76, 0, 1.5, 0, 5}, {2.1, 2, 1.6, 0, 1}},
      {1e-7, {1.66, 0, 1.5, 0, 3}, {2.0, 0, 1.5, 0, 1}},
      {1e-8, {1.50, 0, 1.3, 0, 2}, {1.9, 0, 1.5, 0, 1}},
      {1e-9, {1.55, 0, 1.2, 0, 2}, {1.8, 0, 1.9, 0, 1}},
      {1e-10, {1.40, 0, 1.3, 0, 2}, {2.0, 0, 1.5, 0, 1}},
      {1e-11, {1.35, 0, 1.3, 0, 3}, {1.8, 0, 1.5, 0, 1}},
      {1e-12, {1.33, 0, 1.4, 0, 2}, {1.7, 0, 1.5, 0, 1}},
  };

  check_all(*state, "dop853", may, TOLS);
}

/* x'' = -sign x, four jumps with hardly more than a step between them. */
static void the_simplest_relay_costs_less_than_twice_as_much(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853"};
  const switched *p = switches_find("parabola");
  switched_run want = switches_true(p);

  (void)state;
  for (int m = 0; m < 2; m++)
    for (double tol = 1e-4; tol > 1e-13; tol /= 10) {
      switched_run a = switches_run(p, 1, methods[m], tol),
                   b = switches_run(p, 0, methods[m], tol);
      check_in((double)b.f, 0, 1.95 * (double)a.f);
      check_in(switches_off(p, &b, &want), 0, tol);
      assert_int_equal(b.unguarded, a.events);
    }
}

static void other_methods_find_them(void **state)
{
  static const struct other {
    const char *method;
    allowance may;
  } known[] = {
      {"bs23", {1e-7, {1.37, 0, 1.3, 0, 4}, {2.0, 0, 3.2, 1, 1}}},
      {"rkf45", {1e-9, {1.52, 0, 1.5, 0, 2}, {2.1, 1, 1.6, 0, 1}}},
      {"auto-rk", {1e-9, {1.55, 0, 1.3, 0, 3}, {2.2, 2, 1.9, 0, 1}}},
      {"adams", {1e-9, {3.10, 4, 15.0, 8, 2}, {4.5, 3, 1e6, 4, 4}}},
  };
  /* of a new method, as long as nobody has looked */
  allowance any = {0, {3, 20, 20, 10, 5}, {4.5, 6, 1e6, 4, 4}};

  for (int i = 0; brink_method_name(i); i++) {
    const brink_method *m = brink__method_find(brink_method_name(i));
    const allowance *may = &any;
    any.tol = m->order < 4 ? 1e-7 : 1e-9;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
      if (strcmp(known[k].method, m->name) == 0)
        may = &known[k].may;
    if (!(m->flags & BRINK__FIXED_STEP) && strcmp(m->name, "dopri5") != 0 &&
        strcmp(m->name, "dop853") != 0)
      check_all(*state, m->name, may, 1);
  }
}

/* -------------------------------------------------------------- places ---- */

static int parabola(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = y[0] > 0 ? -1 : 1;
  return 0;
}

static void events_are_where_f_jumps(void **state)
{
  /* x'' = -sign x from (1, 0.3): zeros by hand */
  static const double start[] = {1, 0.3};
  const brink_mode_def alone = {.name = "all", .n = 2, .rhs = parabola};
  brink_model_def def = {.modes = &alone, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double v = sqrt(0.3 * 0.3 + 2), t = 0.3 + v;

  (void)state;
  opt.rtol = opt.atol = 1e-11;
  rig r = rig_new(&def, &opt, 0, 0, start);
  check_status(brink_sim_run(r.sim, 12), BRINK_END);
  assert_int_equal(rig_events(&r), 4);
  for (size_t k = 0; k < 4; k++, t += 2 * v) {
    brink_event e = rig_event(&r, k);
    assert_int_equal(e.kind, BRINK_KIND_UNGUARDED);
    assert_string_equal(e.name, "unguarded");
    assert_string_equal(e.located_by, "defect");
    assert_int_equal(e.certificate, BRINK_SAMPLED);
    check_near(e.t, t, 1e-10);
    check_in(e.width, 0, 1e-11);
    check_near(e.y_before[0], 0, 1e-10);
    check_near(fabs(e.y_before[1]), v, 1e-10);
    assert_int_equal(e.index, -1);
  }
  rig_free(&r);
}

/* ------------------------------------------------------ smooth problems ---- */

static int brusselator(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 1 + y[0] * y[0] * y[1] - 4 * y[0];
  f[1] = 3 * y[0] - y[0] * y[0] * y[1];
  return 0;
}

static long found(size_t n, brink_ivp_fn *f, void *user, const double *y0, double t1,
                  const char *method, double tol)
{
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ivp ivp = {n, f, user};
  brink_status rc;
  brink_step step;

  o.method = method;
  o.rtol = o.atol = tol;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, 0, y0), BRINK_OK);
  do
    rc = brink_integrator_advance(it, t1, &step);
  while (rc == BRINK_OK || rc == BRINK_STIFF);
  check_status(rc, BRINK_END);
  brink_work w = brink_integrator_work(it);
  assert_true(w.steps > 20);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return w.unguarded;
}

/* At 1e-3 a near collision of the stars is as sharp as a kink. */
static void smooth_problems_have_none(void **state)
{
  static const double tols[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-11};
  static const double two_zero[] = {2, 0}, one_three[] = {1.5, 3};
  double mu = 10;

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    const char *m = brink_method_name(i);
    if (brink__method_find(m)->flags & BRINK__FIXED_STEP)
      continue;
    for (size_t k = 0; k < sizeof tols / sizeof tols[0]; k++) {
      double tol = brink__method_find(m)->order < 4 ? fmax(tols[k], 1e-7) : tols[k];
      assert_int_equal(found(2, van_der_pol, &mu, two_zero, 60, m, tol), 0);
      assert_int_equal(
          found(4, arenstorf, NULL, arenstorf_start, ARENSTORF_PERIOD, m, tol), 0);
      assert_int_equal(found(28, pleiades, NULL, pleiades_start, 3, m, fmin(tol, 1e-4)),
                       0);
      assert_int_equal(found(2, brusselator, NULL, one_three, 20, m, tol), 0);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dopri5_is_as_accurate_as_with_guards),
      cmocka_unit_test(dop853_is_as_accurate_as_with_guards),
      cmocka_unit_test(the_simplest_relay_costs_less_than_twice_as_much),
      cmocka_unit_test(other_methods_find_them),
      cmocka_unit_test(events_are_where_f_jumps),
      cmocka_unit_test(smooth_problems_have_none),
  };

  return cmocka_run_group_tests(tests, learn, forget);
}
