/* The method cvode: accuracy on stiff problems, its polynomials, the driver's limits,
 * refusals of f, events and copies. */
#include "hybrid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"
#include "core/core.h"
#include "ode/method.h"

typedef struct calls {
  long f;
  double edge; /* f does not exist beyond, 0: no edge   */
  long stop;   /* at this call f asks to stop, 0: never */
} calls;

/* Robertson's reaction [HW96, IV.10] */
static int robertson(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  f[2] = 3e7 * y[1] * y[1];
  f[1] = -f[0] - f[2];
  return 0;
}

/* y follows cos t at the rate 1e4; y = cos t + c exp(-1e4 t) to 1e-8 */
static int follow(double t, const double *y, double *f, void *user)
{
  calls *c = user;

  c->f++;
  if (c->stop > 0 && c->f >= c->stop)
    return -1;
  if (c->edge > 0 && t > c->edge)
    return 1;
  f[0] = -1e4 * (y[0] - cos(t)) - sin(t);
  return 0;
}

static int square(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = y[0] * y[0];
  return 0;
}

typedef struct own {
  brink_ctx *ctx;
  brink_integrator *it;
} own;

static own begin(size_t n, brink_ivp_fn *rhs, void *user,
                 const brink_integrator_opts *opt, double t, const double *y)
{
  brink_ivp ivp = {n, rhs, user};
  own o;

  check_status(brink_ctx_new(NULL, &o.ctx), BRINK_OK);
  check_status(brink_integrator_new(o.ctx, &ivp, opt, &o.it), BRINK_OK);
  check_status(brink_integrator_start(o.it, t, y), BRINK_OK);
  return o;
}

static void end(own *o)
{
  brink_integrator_free(o->it);
  brink_ctx_free(o->ctx);
}

static brink_integrator_opts options(double rtol, double atol)
{
  brink_integrator_opts opt = brink_integrator_defaults();

  opt.method = "cvode";
  opt.rtol = rtol;
  opt.atol = atol;
  return opt;
}

static brink_status finish(own *o, double t1)
{
  brink_status rc;

  while ((rc = brink_integrator_advance(o->it, t1, NULL)) == BRINK_OK)
    continue;
  return rc;
}

/* --------------------------------------------------------- accuracy ---- */

/* The reference is that of the IVP test set. */
static void robertson_to_1e11(void **state)
{
  const double y0[] = {1, 0, 0};
  brink_integrator_opts opt = options(1e-8, 1e-14);
  own o = begin(3, robertson, NULL, &opt, 0, y0);

  (void)state;
  check_status(finish(&o, 1e11), BRINK_END);
  const double *y = brink_integrator_state(o.it);
  check_near(y[0] / 0.2083340149701255e-07, 1, 1e-5);
  check_near(y[1] / 0.8333360770334713e-13, 1, 1e-5);
  check_near(y[2], 0.9999999791665050, 1e-7);
  check_in((double)brink_integrator_work(o.it).steps, 500, 5000);
  end(&o);
}

static void a_fast_transient_and_a_slow_solution(void **state)
{
  calls c = {0};
  double y0 = 3;
  brink_integrator_opts opt = options(1e-7, 1e-9);
  own o = begin(1, follow, &c, &opt, 0, &y0);

  (void)state;
  check_status(finish(&o, 20), BRINK_END);
  check_near(*brink_integrator_state(o.it), cos(20), 1e-6);
  assert_true(brink_integrator_work(o.it).steps < 3000);
  assert_int_equal(brink_integrator_work(o.it).f_evals, c.f);
  end(&o);
}

static int oscillator(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = y[1];
  f[1] = -y[0];
  return 0;
}

static void backward_in_time(void **state)
{
  const double y0[] = {1, 0};
  brink_integrator_opts opt = options(1e-9, 1e-12);
  own o = begin(2, oscillator, NULL, &opt, 2, y0);

  (void)state;
  check_status(finish(&o, -1), BRINK_END);
  check_near(brink_integrator_state(o.it)[0], cos(-3), 1e-6);
  check_status(finish(&o, 2), BRINK_END);
  check_near(brink_integrator_state(o.it)[0], 1, 1e-6);
  end(&o);
}

/* A thousand states without a pattern: Newton's equations by GMRES. */
enum { CELLS = 1000 };

static int heat(double t, const double *y, double *f, void *user)
{
  double k = (double)(CELLS + 1) * (CELLS + 1);

  (void)t, (void)user;
  for (int i = 0; i < CELLS; i++)
    f[i] = k * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i < CELLS - 1 ? y[i + 1] : 0));
  return 0;
}

static void large_without_a_pattern(void **state)
{
  const double pi = acos(-1), w = 1. / (CELLS + 1);
  double y0[CELLS], rate = 4 / (w * w) * sin(pi * w / 2) * sin(pi * w / 2);
  brink_integrator_opts opt = options(1e-7, 1e-9);

  (void)state;
  for (int i = 0; i < CELLS; i++)
    y0[i] = sin(pi * (i + 1) * w);
  own o = begin(CELLS, heat, NULL, &opt, 0, y0);
  check_status(finish(&o, 0.2), BRINK_END);
  const double *y = brink_integrator_state(o.it);
  for (int i = 0; i < CELLS; i++)
    check_near(y[i], y0[i] * exp(-rate * 0.2), 1e-6);
  assert_true(brink_integrator_work(o.it).f_evals < 4000);
  end(&o);
}

/* ------------------------------------------------------ polynomials ---- */

static void polynomials_meet_and_follow_the_solution(void **state)
{
  calls c = {0};
  double y0 = 1, t = 0, last = 1, worst = 0;
  brink_integrator_opts opt = options(1e-7, 1e-9);
  own o = begin(1, follow, &c, &opt, 0, &y0);
  brink_step step;

  (void)state;
  while (brink_integrator_advance(o.it, 7.3, &step) == BRINK_OK) {
    check_near(step.t0, t, 0);
    check_near(brink_step_state(&step, 0, 0), last, 0);
    t = step.t1;
    last = *brink_integrator_state(o.it);
    check_near(brink_step_state(&step, 0, 1), last, 4 * DBL_EPSILON);
    for (int k = 1; k < 8; k++)
      worst = fmax(worst, fabs(brink_step_state(&step, 0, k / 8.) -
                               cos(step.t0 + k / 8. * step.h)));
  }
  check_near(t, 7.3, 0);
  check_in(worst, 0, 2e-6);
  end(&o);
}

/* ----------------------------------------------------------- limits ---- */

static void steps_keep_to_h_max_and_grow_again(void **state)
{
  calls c = {0};
  double y0 = 1, most = 0;
  brink_integrator_opts opt = options(1e-5, 1e-7);
  brink_step step;

  (void)state;
  opt.h_max = 0.01;
  own o = begin(1, follow, &c, &opt, 0, &y0);
  while (brink_integrator_advance(o.it, 3, &step) == BRINK_OK) {
    check_in(step.h, 0, 0.01 * (1 + 1e-12));
    most = fmax(most, step.h);
  }
  check_near(most, 0.01, 1e-12);
  check_in((double)brink_integrator_work(o.it).steps, 300, 400);
  end(&o);
}

/* Limits that are a few roundings of t away are reached. */
static void a_limit_a_rounding_away(void **state)
{
  calls c = {0};
  double y0 = 1;
  brink_integrator_opts opt = options(1e-6, 1e-9);
  own o = begin(1, follow, &c, &opt, 0, &y0);

  (void)state;
  check_status(finish(&o, 1.995), BRINK_END);
  for (int i = 1; i < 200; i += 9) {
    double t = brink_integrator_time(o.it) + i * DBL_EPSILON;
    check_status(finish(&o, t), BRINK_END);
    check_near(brink_integrator_time(o.it), t, 0);
    check_near(*brink_integrator_state(o.it), cos(t), 1e-5);
  }
  check_status(finish(&o, 3), BRINK_END);
  check_near(*brink_integrator_state(o.it), cos(3), 1e-5);
  end(&o);
}

static void an_order_is_the_largest_that_is_used(void **state)
{
  const double y0[] = {1, 0};
  brink_integrator_opts opt = options(1e-6, 1e-9);
  brink_step step;
  brink_ctx *ctx;
  brink_integrator *it;
  brink_ivp ivp = {2, oscillator, NULL};

  (void)state;
  opt.order = 2;
  own o = begin(2, oscillator, NULL, &opt, 0, y0);
  while (brink_integrator_advance(o.it, 3, &step) == BRINK_OK)
    assert_true(step.degree <= 2);
  assert_int_equal(step.degree, 2);
  end(&o);
  opt.order = 6;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &opt, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "orders up to 5");
  brink_ctx_free(ctx);
}

static void a_pole_ends_the_run_with_a_sentence(void **state)
{
  double y0 = 1;
  brink_integrator_opts opt = options(1e-6, 1e-9);
  own o = begin(1, square, NULL, &opt, 0, &y0);

  (void)state;
  brink_status rc = finish(&o, 3);
  assert_true(rc == BRINK_ESTEP || rc == BRINK_ENAN);
  check_near(brink_integrator_time(o.it), 1, 1e-3);
  assert_true(*brink_integrator_error(o.it)->text != 0);
  end(&o);

  opt.h_min = 1e-3;
  o = begin(1, square, NULL, &opt, 0, &y0);
  check_status(finish(&o, 3), BRINK_ESTEP);
  check_text(brink_integrator_error(o.it)->text, "is below 0.001");
  end(&o);
}

/* --------------------------------------------------------- refusals ---- */

static void where_f_does_not_exist_the_run_ends(void **state)
{
  calls c = {.edge = 0.7};
  double y0 = 1;
  brink_integrator_opts opt = options(1e-7, 1e-9);
  own o = begin(1, follow, &c, &opt, 0, &y0);

  (void)state;
  check_status(finish(&o, 2), BRINK_EDOMAIN);
  check_near(brink_integrator_time(o.it), 0.7, 1e-9);
  check_near(*brink_integrator_state(o.it), cos(0.7), 1e-6);
  end(&o);
}

static void stop_is_obeyed_at_whatever_call(void **state)
{
  (void)state;
  for (long stop = 1; stop < 40; stop++) {
    calls c = {.stop = stop};
    double y0 = 1;
    brink_integrator_opts opt = options(1e-7, 1e-9);
    own o = begin(1, follow, &c, &opt, 0, &y0);
    check_status(finish(&o, 2), BRINK_EUSER);
    assert_int_equal(c.f, stop);
    end(&o);
  }
}

/* ----------------------------------------------------------- events ---- */

static const char relay[] =
    "model Relay\n"
    "  Real x(start = 0, fixed = true), y(start = 5, fixed = true);\n"
    "  discrete Real u(start = 1, fixed = true);\n"
    "  Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = u - 0.3*x;\n"
    "  der(y) = -1e5*(y - x);\n"
    "  when y > 1 then u = -1; n = pre(n) + 1;\n"
    "  elsewhen y < -0.5 then u = 1; n = pre(n) + 1; end when;\n"
    "end Relay;\n";

/* The fast y follows x: y = x - x'/1e5 to 1e-10.  With x' = u - 0.3 x the guard y = b
 * is x (1 + 3e-6) = b + 1e-5 u. */
static void events_on_a_fast_state(void **state)
{
  static const char *const locators[] = {"isolate",  "extrapolate", "henon",
                                         "illinois", "direct",      "extra-state"};
  double t = 0, x = 0, u = 1, want[6];

  (void)state;
  for (int i = 0; i < 6; i++) {
    double to = ((u > 0 ? 1 : -0.5) + 1e-5 * u) / (1 + 3e-6), rest = u / 0.3;
    t += log((x - rest) / (to - rest)) / 0.3;
    x = to;
    u = -u;
    want[i] = t;
  }
  for (size_t l = 0; l < BRINK__COUNT(locators); l++) {
    brink_sim_opts opt = brink_sim_defaults();
    rig r = {0};
    opt.method = "cvode";
    opt.locator = locators[l];
    opt.rtol = 1e-8;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(
        brink_model_read(r.ctx, "m.mo", relay, sizeof relay - 1, NULL, &r.model),
        BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, want[5] + 0.1), BRINK_END);
    /* y begins above 1, and falls through it within the first transient */
    size_t n = rig_events(&r), k = 0;
    for (size_t i = 0; i < n; i++) {
      double at = rig_event(&r, i).t;
      if (at > 1e-3 && k < 6 && fabs(at - want[k]) < 2e-6)
        k++;
    }
    if (k != 6)
      fail_msg("%s: %zu of 6 events", opt.locator, k);
    rig_free(&r);
  }
}

/* x' = -sqrt(x) beside a fast state: f is not called below x = 0. */
static int drain(double t, const double *y, double *f, const brink_env *e)
{
  calls *c = e->user;

  (void)t;
  c->f++;
  c->stop += y[0] < 0;
  f[0] = -sqrt(y[0]);
  f[1] = -1e4 * (y[1] - y[0]);
  return 0;
}

static void never_beyond_a_unilateral_guard(void **state)
{
  calls c = {0};
  const brink_guard_def g = {.name = "edge", .state = 0, .level = 0};
  const brink_event_def e = {.name = "end", .dir = BRINK_DOWN, .side = BRINK_BEFORE};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = drain,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &c};
  const double y0[] = {1, 0};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "cvode";
  opt.rtol = 1e-8;
  rig r = rig_new(&def, &opt, 0, 0, y0);
  check_status(brink_sim_run(r.sim, 10), BRINK_TERMINATED);
  assert_int_equal(c.stop, 0);
  check_near(brink_sim_time(r.sim), 2, 1e-4);
  rig_free(&r);
}

/* ----------------------------------------------------------- copies ---- */

static int pole(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 1;
  f[1] = -1 / y[1];
  return 0;
}

/* y^2 = 1 - 2 t ends at t = 1/2; steps of BDF pass the pole and are thrown back. */
static void a_solution_that_ends_in_a_pole_is_told(void **state)
{
  const double y0[] = {0, 1};
  brink_integrator_opts opt = brink_integrator_defaults();
  brink_status rc;
  brink_step step;

  (void)state;
  opt.method = "cvode";
  opt.max_steps = 100000;
  own o = begin(2, pole, NULL, &opt, 0, y0);
  while ((rc = brink_integrator_advance(o.it, 5, &step)) == BRINK_OK) {
  }
  check_status(rc, BRINK_ESTEP);
  check_text(brink_integrator_error(o.it)->text, "the solution ends");
  check_near(brink_integrator_time(o.it), 0.5, 1e-4);
  end(&o);
}

static void a_clone_goes_on_within_the_tolerance(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *clone;
  rig r = {0};

  (void)state;
  opt.method = "cvode";
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "m.mo", relay, sizeof relay - 1, NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  while (brink_sim_time(r.sim) < 3)
    assert_true(brink_sim_advance(r.sim, 9) >= 0);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_run(clone, 9), BRINK_END);
  check_status(brink_sim_run(r.sim, 9), BRINK_END);
  for (int i = 0; i < 2; i++)
    check_near(brink_sim_state(clone)[i], brink_sim_state(r.sim)[i], 1e-4);
  brink_sim_free(clone);
  rig_free(&r);
}

/* Without SUNDIALS the name is known, and what is missing. */
static void absent_it_says_so(void **state)
{
  brink_integrator_opts opt = options(1e-6, 1e-9);
  brink_ivp ivp = {1, square, NULL};
  brink_integrator *it;
  brink_ctx *ctx;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &opt, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "needs SUNDIALS");
  for (int i = 0; brink_method_name(i); i++)
    assert_true(strcmp(brink_method_name(i), "cvode") != 0);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robertson_to_1e11),
      cmocka_unit_test(a_fast_transient_and_a_slow_solution),
      cmocka_unit_test(backward_in_time),
      cmocka_unit_test(large_without_a_pattern),
      cmocka_unit_test(polynomials_meet_and_follow_the_solution),
      cmocka_unit_test(steps_keep_to_h_max_and_grow_again),
      cmocka_unit_test(a_limit_a_rounding_away),
      cmocka_unit_test(an_order_is_the_largest_that_is_used),
      cmocka_unit_test(a_pole_ends_the_run_with_a_sentence),
      cmocka_unit_test(where_f_does_not_exist_the_run_ends),
      cmocka_unit_test(stop_is_obeyed_at_whatever_call),
      cmocka_unit_test(events_on_a_fast_state),
      cmocka_unit_test(never_beyond_a_unilateral_guard),
      cmocka_unit_test(a_clone_goes_on_within_the_tolerance),
      cmocka_unit_test(a_solution_that_ends_in_a_pole_is_told),
  };
  const struct CMUnitTest absent[] = {cmocka_unit_test(absent_it_says_so)};

  return brink__cvode.needs ? cmocka_run_group_tests(absent, NULL, NULL)
                            : cmocka_run_group_tests(tests, NULL, NULL);
}
