/* test_unguarded.c -- jumps inside f that no guard announces: found, crossed, reported,
 * with an error within ten tolerances of the run with guards; and nothing is found
 * where f is smooth.
 *
 * Each problem of switches.h is run with guards and with its switches hidden.  What
 * both should reach is the run with guards at 1e-13.  The table that is printed, which
 * is that of docs/constrained.md, also has the kinks and the cost: those are shown as
 * they are.
 */
#include "hybrid.h"
#include "plain_methods.h"

#include <math.h>

#include "ode/method.h"
#include "problems.h"
#include "switches.h"

/* ------------------------------------------------------ the same tolerance ---- */

/* Over problems of one class: evaluations of f over those with guards; error over the
 * larger of the error with guards and the tolerance; places that were found. */
typedef struct sum {
  int problems;
  double f, f_most;
  double error_most;
  long found, all;
} sum;

static void add(sum *s, const switched *p, const char *method, double tol)
{
  switched_run want = switches_true(p), a = switches_run(p, 1, method, tol),
               b = switches_run(p, 0, method, tol);
  double f = (double)b.f / (double)a.f;
  double error = switches_off(p, &b, &want) / fmax(switches_off(p, &a, &want), tol);

  s->problems++;
  s->f += f;
  s->f_most = fmax(s->f_most, f);
  s->error_most = fmax(s->error_most, error);
  s->found += b.unguarded;
  s->all += a.events;
  if (p->class == JUMPS && !(error <= 10))
    print_error("%s at %.0e, %s: error %.1f times what it may be, found %ld of %ld\n",
                method, tol, p->name, error, b.unguarded, a.events);
}

static void print_row(const char *method, double tol, const char *class, const sum *s)
{
  print_message("| %s | %.0e | %s | %.2f | %.2f | %.1f | %ld of %ld |\n", method, tol,
                class, s->f / s->problems, s->f_most, s->error_most, s->found, s->all);
}

/* Found may be one in fifty less than there are: a place that the next step undoes. */
static void check_method(const char *method, double loosest, double finest)
{
  for (double tol = loosest; tol > 0.9 * finest; tol /= 10) {
    sum jumps = {0}, kinks = {0};
    for (const switched *p = switches; p->name; p++)
      if (p->class != EXCURSIONS)
        add(p->class == JUMPS ? &jumps : &kinks, p, method, tol);
    print_row(method, tol, "jumps", &jumps);
    print_row(method, tol, "kinks", &kinks);
    check_in(jumps.error_most, 0, 10);
    check_in((double)jumps.found, 0.98 * (double)jumps.all, 1.02 * (double)jumps.all);
  }
}

static void jumps_are_found_and_crossed_by_dopri5(void **state)
{
  (void)state;
  check_method("dopri5", 1e-4, 1e-12);
}

static void jumps_are_found_and_crossed_by_dop853(void **state)
{
  (void)state;
  check_method("dop853", 1e-4, 1e-12);
}

static void jumps_are_found_and_crossed_by_other_methods(void **state)
{
  (void)state;
  EACH_PLAIN_METHOD (i) {
    const brink_method *m = brink__method_find(brink_method_name(i));
    double tol = m->order < 4 ? 1e-7 : 1e-9;
    if (!(m->flags & BRINK__FIXED_STEP) && m != &brink__dopri5 && m != &brink__dop853)
      check_method(m->name, tol, tol);
  }
}

/* The limit that the manual tells: the gear of the backlash problem loses contact for
 * less than the time between two stages of a step, and no evaluation of f falls into
 * it; a ball on a soft floor may touch it as briefly. */
static void what_lies_between_two_stages_is_not_seen(void **state)
{
  (void)state;
  for (const switched *p = switches; p->name; p++)
    if (p->class == EXCURSIONS) {
      sum s = {0};
      add(&s, p, "dop853", 1e-9);
      print_row("dop853", 1e-9, p->name, &s);
      check_in((double)(s.all - s.found), 0, 4);
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

static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -y[0];
  return 0;
}

static double above(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] - 0.3;
}

static brink_sim_stats work_of(brink_rhs_fn *f, const char *method, int smooth,
                               int search)
{
  static const double start[] = {1, 0.3};
  const brink_guard_def guard = {.name = "g", .fn = above};
  const brink_event_def event = {.name = "e", .dir = BRINK_BOTH};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = f,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1,
                               .smooth = smooth};
  brink_model_def def = {.modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.search = search;
  opt.rtol = opt.atol = 1e-7;
  rig r = rig_new(&def, &opt, 0, 0, start);
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  rig_free(&r);
  return s;
}

/* A mode that is said to be smooth, or a run without the search, takes the steps that
 * it would take anyway, and no evaluation beside them. */
static void who_says_that_f_is_smooth_does_not_pay_for_the_search(void **state)
{
  (void)state;
  EACH_PLAIN_METHOD (i) {
    const char *m = brink_method_name(i);
    if (brink__method_find(m)->flags & BRINK__FIXED_STEP)
      continue; /* is never searched */
    brink_sim_stats all = work_of(swing, m, 0, 1), told = work_of(swing, m, 1, 1),
                    off = work_of(swing, m, 0, 0);
    assert_int_equal(told.work.look_evals, 0);
    assert_int_equal(off.work.look_evals, 0);
    assert_int_equal(told.work.steps, all.work.steps);
    assert_int_equal(told.work.rejected, all.work.rejected);
    assert_int_equal(told.work.f_evals, all.work.f_evals - all.work.look_evals);
    assert_int_equal(off.work.f_evals, told.work.f_evals);
    assert_int_equal(off.work.steps, told.work.steps);
  }
  /* and what is hidden then stays so */
  assert_true(work_of(parabola, "dopri5", 0, 1).work.unguarded > 3);
  assert_int_equal(work_of(parabola, "dopri5", 1, 1).work.unguarded, 0);
  assert_int_equal(work_of(parabola, "dopri5", 0, 0).work.unguarded, 0);
}

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
  EACH_PLAIN_METHOD (i) {
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
      cmocka_unit_test(jumps_are_found_and_crossed_by_dopri5),
      cmocka_unit_test(jumps_are_found_and_crossed_by_dop853),
      cmocka_unit_test(jumps_are_found_and_crossed_by_other_methods),
      cmocka_unit_test(what_lies_between_two_stages_is_not_seen),
      cmocka_unit_test(events_are_where_f_jumps),
      cmocka_unit_test(who_says_that_f_is_smooth_does_not_pay_for_the_search),
      cmocka_unit_test(smooth_problems_have_none),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
