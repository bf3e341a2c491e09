/* Guards that are much less smooth than the states: x = sin(t) is a few long steps for
 * a method of high order, and a function of x with a peak, a ripple or a steep front is
 * zero on known levels of x.  Events are as accurate as the tolerance says: every one
 * is found, and x at its time is off by no more than the error of the method. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"

#define T_END 20.0
#define PI    3.14159265358979323846

enum { MOST = 512 };

typedef struct guard_case {
  const char *equations; /* for z                                                  */
  const char *relation;
  double ripple; /* 0: zero on the levels; else where sin(z) is level[0],
                    x = (z + part sin(z))/ripple                                */
  double part;
  double level[2];  /* of x                                                       */
  const char *more; /* declarations                                              */
} guard_case;

/* -- text as it is: its zeros are enclosed -- */
static const guard_case explicit_guards[] = {
    {"z = exp(20*x)", "z > 3", .level = {0.054930614433405485, 2}},
    {"z = sqrt(x + 1.0001)", "z > 0.5", .level = {0.25 - 1.0001, 2}},
    {"z = 50*x", "sin(z) > 0.3", .ripple = 50, .level = {0.3}},
    {"z = 1/(1 + 1e8*(x - 0.3)^2)", "z > 0.5", .level = {0.2999, 0.3001}},
    {"z = tanh(1000*(x - 0.3))", "z > 0.5", .level = {0.30054930614433405, 2}},
};

/* -- behind a loop -- */
static const guard_case loop_guards[] = {
    {"z + 0.1*z^3 = exp(20*x)", "z > 5", .level = {0.14311004404647343, 2}},
    {"z + 0.1*sin(z) = 50*x", "sin(z) > 0.3", .ripple = 50, .part = 0.1,
     .level = {0.3}},
    {"z + 0.1*z^3 = 1/(1 + 1e4*(x - 0.3)^2)", "z > 0.3",
     .level = {0.2848223818567989, 0.31517761814320105}},
};

/* -- behind a loop that is too large to be enclosed: 65 equal unknowns -- */
static const guard_case large_loop = {
    "for i in 1:65 loop w[i] + 0.1*w[i]^3 + 0.001*(sum(w) - 65*w[i])\n"
    "  = 1/(1 + 1e4*(x - 0.3)^2); end for; z = w[1]",
    "z > 0.3", .level = {0.2848223818567989, 0.31517761814320105},
    .more = "Real w[65];"};

/* The times at which sin(t) is x. */
static int add_level(double x, double *t, int n)
{
  if (!(fabs(x) < 1))
    return n;
  for (int k = -1; k < 5; k++) {
    double at[2] = {asin(x) + 2 * PI * k, PI - asin(x) + 2 * PI * k};
    for (int j = 0; j < 2; j++)
      if (at[j] > 0 && at[j] < T_END)
        t[n++] = at[j];
  }
  return n;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int expected(const guard_case *g, double *t)
{
  int n = 0;

  if (g->ripple == 0)
    n = add_level(g->level[1], t, add_level(g->level[0], t, 0));
  for (int k = -9; k < 9 && g->ripple > 0; k++)
    for (int j = 0; j < 2; j++) {
      double z = 2 * PI * k + (j ? PI - asin(g->level[0]) : asin(g->level[0]));
      n = add_level((z + g->part * g->level[0]) / g->ripple, t, n);
    }
  qsort(t, (size_t)n, sizeof *t, ascending);
  return n;
}

typedef struct found {
  double off; /* x at the events, in tolerances                                       */
  int sampled;
  long steps;
} found;

static found run(const guard_case *g, const char *method, double tol)
{
  char text[512];
  double t[MOST];
  int n = expected(g, t);
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  brink_sim_opts opt = brink_sim_defaults();
  found out = {0};

  snprintf(text, sizeof text,
           "model m Real x(start = 0, fixed = true), y(start = 1, fixed = true), z;\n"
           "  %s Boolean b; equation der(x) = y; der(y) = -x; %s; b = %s; end m;",
           g->more ? g->more : "", g->equations, g->relation);
  opt.method = method;
  opt.rtol = opt.atol = tol;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model),
               BRINK_OK);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(sim, T_END), BRINK_END);
  const brink_trace *trace = brink_sim_trace(sim);
  if (brink_trace_events(trace) != (size_t)n)
    print_error("%s, %s, %g: %zu events of %d\n", g->equations, method, tol,
                brink_trace_events(trace), n);
  assert_int_equal(brink_trace_events(trace), n);
  for (int i = 0; i < n; i++) {
    brink_event e = brink_trace_event(trace, (size_t)i);
    out.off = fmax(out.off, fabs(e.t - t[i]) * fabs(cos(t[i])) / tol);
    out.sampled += e.certificate == BRINK_SAMPLED;
  }
  out.steps = brink_sim_statistics(sim).work.steps;
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return out;
}

/* Without guards the error of x grows to so many tolerances on the way (adams). */
static const double OWN_ERROR = 60;

static void check_all(const guard_case *g, size_t n, int most_sampled)
{
  static const char *const methods[] = {"taylor", "dop853", "adams", "dopri5"};

  for (size_t i = 0; i < n; i++)
    for (size_t m = 0; m < 4; m++)
      for (int j = 0; j < 3; j++) {
        static const double tolerances[] = {1e-5, 1e-8, 1e-12};
        double tol = tolerances[j];
        found f = run(&g[i], methods[m], tol);
        print_message("%s, %s %.0e: %.3g tolerances, %d sampled, %ld steps\n",
                      g[i].equations, methods[m], tol, f.off, f.sampled, f.steps);
        assert_true(f.off < (m == 0 ? 2 : OWN_ERROR) + 1e-13 / tol);
        assert_true(f.sampled <= most_sampled);
      }
}

static void guards_in_long_steps_are_found_and_proved(void **state)
{
  (void)state;
  check_all(explicit_guards, sizeof explicit_guards / sizeof *explicit_guards, 0);
}

static void guards_behind_loops_are_found_and_proved(void **state)
{
  (void)state;
  check_all(loop_guards, sizeof loop_guards / sizeof *loop_guards, 0);
}

/* Where a loop cannot be enclosed steps end within the radius of convergence, so that
 * samples show all zeros; but nothing proves that. */
static void guards_behind_large_loops_limit_the_steps(void **state)
{
  (void)state;
  found f = run(&large_loop, "taylor", 1e-8);
  print_message("%.3g tolerances, %d sampled, %ld steps\n", f.off, f.sampled, f.steps);
  assert_true(f.off < 2);
  assert_int_equal(f.sampled, 14);
}

/* A guard that is as smooth as the states costs no steps. */
static void smooth_guards_behind_loops_cost_nothing(void **state)
{
  static const guard_case smooth = {"z + 0.1*z^3 = x", "z > 0.3", .level = {0.3027, 2}};
  static const guard_case none = {"z = x", "x > 0.3027", .level = {0.3027, 2}};

  (void)state;
  for (double tol = 1e-4; tol > 1e-13; tol *= 1e-4) {
    long with = run(&smooth, "dop853", tol).steps,
         without = run(&none, "dop853", tol).steps;
    print_message("%.0e: %ld steps, %ld without the loop\n", tol, with, without);
    assert_true(with <= without + without / 4 + 2);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guards_in_long_steps_are_found_and_proved),
      cmocka_unit_test(guards_behind_loops_are_found_and_proved),
      cmocka_unit_test(guards_behind_large_loops_limit_the_steps),
      cmocka_unit_test(smooth_guards_behind_loops_cost_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
