/* The tables of [DL15] and what belongs to them: orders of the locators `direct`, the
 * event of the neural network, the number of steps after eta was halved, guards of all
 * kinds from either side, where they decline, copies in the middle of an approach. */
#include "check.h"
#include "plain_methods.h"

#include "papers/delbuono.h"

#include <math.h>
#include <string.h>

static delbuono_run run, other;

static brink_ctx *open_ctx(void)
{
  brink_ctx *ctx;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  return ctx;
}

static void solve(double r, const char *locator, int m, double eta, double eps)
{
  brink_ctx *ctx = open_ctx();
  delbuono_problem p = {.r = r};
  brink_sim_opts opt = delbuono_options(&p, locator, m, eta, eps);

  if (delbuono_solve(ctx, &p, &opt, &run) != 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  brink_ctx_free(ctx);
  assert_string_equal(run.located_by, locator);
  assert_int_equal(run.outside_evals, 0);
  check_in(run.h[run.n - 1], -1e-14, 0);
}

/* --------------------------------------------------------------- tables --- */

/* Printed values, and half a unit of their last digits. */
static const double printed[7][3][2] = {
    {{0.0106, 5e-5}, {2.1064e-4, 5e-9}, {0.0031, 5e-5}},
    {{0.0037, 5e-5}, {1.1996e-5, 5e-10}, {7.8008e-4, 5e-9}},
    {{0.0013, 5e-5}, {6.0163e-6, 5e-11}, {1.9480e-4, 5e-9}},
    {{4.3373e-4, 5e-9}, {3.3620e-6, 5e-11}, {4.8594e-5, 5e-10}},
    {{1.4983e-4, 5e-9}, {1.2042e-6, 5e-11}, {1.2129e-5, 5e-10}},
    {{5.2042e-5, 5e-10}, {3.6987e-7, 5e-12}, {3.0293e-6, 5e-11}},
    /* the first of these is printed as 1.8162e-5; exact arithmetic has this */
    {{1.81606105946e-5, 1e-13}, {1.0521e-7, 5e-12}, {7.5692e-7, 5e-12}}};

static void table_1_has_the_printed_digits(void **state)
{
  (void)state;
  for (int i = 0; i < 7; i++)
    for (int r = 0; r < 3; r++) {
      solve(r, "direct", 2, ldexp(0.1, -i), 0);
      assert_int_equal(run.n - 1, 10 * (1 << i) - 1); /* K */
      check_near(fabs(run.x[0] - delbuono_exact(r)), printed[i][r][0],
                 printed[i][r][1] * (1 + 1e-6));
      check_near(run.t, 1, 1e-14);
    }
}

/* What the formulas give, and what is printed (cut off after five digits). */
static const double table_2[10][3] = {
    {0.1, 0.1, -0.8608576963420128},
    {0.09275110567064179, 0.09275, -0.7620446164976029},
    {0.11870972637727129, 0.11785, -0.6582079629936394},
    {0.16236800777190322, 0.16809, -0.5497076445662826},
    {0.22554552333973965, 0.25797, -0.43501660270242626},
    {0.266622903970545, 0.30945, -0.3306180432854441},
    {0.26591167086107564, 0.25777, -0.2309320527270942},
    {0.25547975361251124, 0.25706, -0.13093322852688327},
    {0.2458489423160646, 0.24370, -0.030848699559885825},
    {0.14882410644155925, 0.07607, 0}};

static void table_2_in_both_readings(void **state)
{
  delbuono_problem p = {.r = DELBUONO_NETWORK};

  (void)state;
  solve(DELBUONO_NETWORK, "direct", 2, 0.1, 0);
  delbuono_plain(&p, DELBUONO_CONSTANT, 0.1, 1, 0, &other);
  assert_int_equal(run.n, 10);
  assert_int_equal(other.n, 10);
  for (int k = 0; k < 10; k++) {
    check_near(run.tau[k], table_2[k][0], 1e-13);
    if (k > 0 && k < 9)
      check_near(run.h[k] - run.h[k - 1], 0.1, 1e-15);
    check_in(other.tau[k], table_2[k][1] - 1e-12, table_2[k][1] + 1e-5);
    check_near(other.h[k], table_2[k][2], 1e-14);
  }
  check_near(run.x[0], 0.38414541481432374, 1e-13);
  check_near(run.x[2], 0.23607293603303758, 1e-13);
}

static void table_3_is_consistent(void **state)
{
  static const struct {
    delbuono_reading reading;
    double rho, eps;
    int halvings, K;
    double t;
  } rows[] = {{DELBUONO_TRAPEZOID, 1. / 6, 1e-2, 1, 15, 1.8763211936415052},
              {DELBUONO_TRAPEZOID, 1. / 6, 1e-3, 2, 29, 1.8770223232127452},
              {DELBUONO_TRAPEZOID, 1. / 6, 1e-4, 3, 56, 1.8770869018656025},
              {DELBUONO_TRAPEZOID, 1. / 6, 1e-6, 5, 277, 1.8771049107454154},
              {DELBUONO_MOULTON, 1, 1e-2, 1, 17, 1.8765902772325331},
              {DELBUONO_MOULTON, 1, 1e-4, 3, 70, 1.8770998034803084},
              {DELBUONO_MOULTON, 1, 1e-6, 7, 1103, 1.87710493907035},
              {DELBUONO_MOULTON, 5. / 12, 1e-3, 2, 31, 1.8770995617194448},
              {DELBUONO_MOULTON, 5. / 12, 1e-6, 6, 552, 1.877104926613849}};
  delbuono_problem p = {.r = DELBUONO_NETWORK};

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    delbuono_plain(&p, rows[i].reading, 0.1, rows[i].rho, rows[i].eps, &other);
    assert_int_equal(other.halvings, rows[i].halvings);
    assert_int_equal(other.n, rows[i].K);
    check_near(other.t, rows[i].t, 1e-11);
  }
}

/* The locators take the steps of the loop that follows the paper word by word. */
static void locators_take_the_steps_of_the_paper(void **state)
{
  delbuono_problem p = {.r = DELBUONO_NETWORK};

  (void)state;
  delbuono_plain(&p, DELBUONO_VARIABLE, 0.037, 1, 0, &other);
  solve(DELBUONO_NETWORK, "direct", 2, 0.037, 0);
  assert_int_equal(run.n, other.n);
  for (int k = 0; k < run.n; k++)
    check_near(run.tau[k], other.tau[k], 1e-12);

  delbuono_plain(&p, DELBUONO_MOULTON, 0.037, 1, 1e300, &other);
  solve(DELBUONO_NETWORK, "direct-pc", 2, 0.037, 0);
  assert_int_equal(run.n, other.n);
  for (int k = 0; k < run.n; k++)
    check_near(run.tau[k], other.tau[k], 1e-12);
}

/* ------------------------------------------------------------ remark 3.1 --- */

/* With the corrector of (19) h grows by eta in each step: if eta has become eta/2^i at
 * K_1, the event is reached in K_1 + 2^i (K - K_1) steps, K those without halving (each
 * count rounded up to whole steps). */
static void halved_steps_are_as_many_as_remark_3_1_says(void **state)
{
  const double eta = 0.1;

  (void)state;
  for (int e = 2; e <= 5; e++) {
    solve(DELBUONO_NETWORK, "direct-pc2", 2, eta, pow(10, -e));
    int k = 1, halvings = 0, begun = 0;
    for (int j = 1; j + 1 < run.n; j++) {
      double part = log2(eta / (run.h[j] - run.h[j - 1]));
      /* after a short start steps are as long as they may be, not as eta asks */
      begun |= fabs(part - round(part)) < 1e-9;
      if (!begun)
        continue;
      check_near(part, round(part), 1e-9);
      assert_true(part >= halvings - 1e-9);
      if ((int)lround(part) > halvings)
        k = j; /* the first step with this eta begins at x_k */
      halvings = (int)lround(part);
    }
    assert_true(halvings > 0);
    double left = -run.h[k - 1] / eta; /* K - K_1, in whole and part steps */
    assert_int_equal(run.n, k + (int)ceil(ldexp(left, halvings) - 1e-9));
  }
}

/* ---------------------------------------------------------------- orders --- */

static double order_of(const char *locator, double r, int m, double eta)
{
  solve(r, locator, m, eta, 0);
  double first = fabs(run.x[0] - delbuono_exact(r));
  solve(r, locator, m, eta / 2, 0);
  double second = fabs(run.x[0] - delbuono_exact(r));
  print_message("%-12s r = %g, m = %d: %.3e, %.3e, order %.2f\n", locator, r, m, first,
                second, log2(first / second));
  return log2(first / second);
}

/* f has r + 1/2 derivatives at the event. */
static void orders_are_kept_where_f_is_smooth_enough(void **state)
{
  (void)state;
  check_in(order_of("direct", 2, 2, 1. / 160), 1.95, 2.05);
  check_in(order_of("direct", 2, 3, 1. / 160), 2.9, 3.1);
  check_in(order_of("direct", 3, 4, 1. / 80), 3.75, 4.25);
  check_in(order_of("direct", 2, 4, 1. / 160), 3.4, 3.8);
  check_in(order_of("direct", 0, 2, 1. / 160), 1.4, 1.6);
  check_in(order_of("direct", 1, 2, 1. / 160), 1.3, 2.1);
  check_in(order_of("direct", 0, 4, 1. / 160), 1.4, 1.6);
  check_in(order_of("direct", 1, 4, 1. / 160), 2.4, 2.6);
  check_in(order_of("direct-pc2", 2, 2, 1. / 160), 2.9, 3.1);
}

static void the_event_of_the_network_to_1e_10(void **state)
{
  (void)state;
  for (int m = 4; m <= 8; m++)
    for (int v = 0; v < 4; v++) {
      static const char *const variants[] = {"direct", "direct-const", "direct-pc",
                                             "direct-pc2"};
      brink_ctx *ctx = open_ctx();
      delbuono_problem p = {.r = DELBUONO_NETWORK};
      brink_sim_opts opt = delbuono_options(&p, variants[v], m, 0, 1e-13);
      opt.h0 = 0;
      assert_int_equal(delbuono_solve(ctx, &p, &opt, &run), 0);
      brink_ctx_free(ctx);
      assert_string_equal(run.located_by, variants[v]);
      check_near(run.t, delbuono_network_event[0], 1e-10);
      for (int i = 0; i < 3; i++)
        check_near(run.x[i], delbuono_network_event[i + 1], 1e-10);
    }
}

/* ---------------------------------------------------------------- guards --- */

/* A spiral, x + i y = r e^{i w t}, r growing or shrinking by rate. */
static int spiral(double t, const double *y, double *f, const brink_env *e)
{
  const double rate = e->p[0], w = 1.7;

  (void)t;
  f[0] = rate * y[0] - w * y[1];
  f[1] = rate * y[1] + w * y[0];
  return 0;
}

/* All are zero on the circle of radius 1.3. */
static double circle(double t, const double *y, int k, const brink_env *e)
{
  double q = y[0] * y[0] + y[1] * y[1] - 1.69;

  (void)t, (void)e;
  return k == 0   ? q
         : k == 1 ? q + 0.2 * sin(q)
         : k == 2 ? -0.3 * exp(q) + 0.3
                  : sqrt(q + 1.69) - 1.3;
}

enum { GUARDS = 4 };

static void spiral_run(const char *locator, int m, int k, double rate, brink_side side,
                       double lie_min)
{
  brink_guard_def guards[GUARDS] = {{.name = "q", .fn = circle, .degree = 2}};
  brink_ctx *ctx = open_ctx();
  brink_model *model;
  brink_sim *sim;
  brink_sim_opts opt = brink_sim_defaults();
  double start = rate > 0 ? 0.41 : 3.1;

  for (int i = 1; i < GUARDS; i++)
    guards[i] = (brink_guard_def){.name = "g", .fn = circle};
  const brink_event_def event = {.name = "circle",
                                 .guard = k,
                                 .dir = (rate > 0) == (k != 2) ? BRINK_UP : BRINK_DOWN,
                                 .side = side,
                                 .terminal = 1};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = spiral,
                               .guards = guards,
                               .n_guards = GUARDS,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = &rate, .n_p = 1};
  if (brink_model_new(ctx, &def, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  opt.method = "dopri5";
  opt.locator = locator;
  opt.locate_order = m;
  opt.rtol = opt.atol = m == 2 ? 1e-6 : 1e-9;
  opt.lie_min = lie_min;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0.37, 0, (double[]){start, 0}), BRINK_OK);
  check_status(brink_sim_run(sim, 20), BRINK_TERMINATED);
  brink_event e = brink_trace_event(brink_sim_trace(sim), 0);
  check_near(e.t, 0.37 + log(1.3 / start) / rate, 1e3 * opt.rtol);
  assert_string_equal(e.located_by, lie_min > 0 ? "isolate" : locator);
  double g = circle(e.t, e.y_before, k, NULL), way = rate > 0 ? 1 : -1;
  way *= k == 2 ? -1 : 1;
  if (side == BRINK_BEFORE)
    check_in(g * way, -1e-14, 0);
  else if (side == BRINK_AFTER)
    check_in(g * way, 0, 1e-13);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void guards_of_all_kinds_from_either_side(void **state)
{
  static const char *const variants[] = {"direct", "direct-const", "direct-pc",
                                         "direct-pc2"};

  (void)state;
  for (int v = 0; v < 4; v++)
    for (int m = 2; m <= 8; m++)
      for (int k = 0; k < GUARDS; k++)
        for (int inward = 0; inward < 2; inward++)
          for (int side = BRINK_AFTER; side <= BRINK_BEFORE; side++)
            spiral_run(variants[v], m, k, inward ? -0.23 : 0.31, (brink_side)side, 0);
}

/* The guard moves at a speed of 1: too slow for this lie_min. */
static void a_guard_that_is_too_slow_is_left_to_the_method(void **state)
{
  (void)state;
  spiral_run("direct", 4, 0, 0.31, BRINK_AFTER, 1e3);
  spiral_run("direct-pc", 4, 1, -0.23, BRINK_BEFORE, 1e3);
}

/* ---------------------------------------------------------------- copies --- */

static void a_copy_in_the_middle_goes_on_bit_by_bit(void **state)
{
  (void)state;
  for (int steps = 1; steps < 9; steps++) {
    brink_ctx *ctx = open_ctx();
    delbuono_problem p = {.r = 2};
    brink_sim_opts opt = delbuono_options(&p, "direct-pc", 3, 0.1, 1e-3);
    brink_model *model = delbuono_model(ctx, &p);
    brink_sim *sim, *copy;
    check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
    check_status(brink_sim_start(sim, 0, 0, (double[]){0.5, 0}), BRINK_OK);
    for (int i = 0; i < steps; i++)
      check_status(brink_sim_advance(sim, 2), BRINK_OK);
    check_status(brink_sim_clone(ctx, sim, &copy), BRINK_OK);
    check_status(brink_sim_run(sim, 2), BRINK_TERMINATED);
    check_status(brink_sim_run(copy, 2), BRINK_TERMINATED);
    assert_memory_equal(brink_sim_state(sim), brink_sim_state(copy),
                        2 * sizeof(double));
    assert_int_equal(brink_sim_statistics(sim).work.f_evals,
                     brink_sim_statistics(copy).work.f_evals);
    brink_sim_free(copy);
    brink_sim_free(sim);
    brink_model_free(model);
    brink_ctx_free(ctx);
  }
}

/* ----------------------------------------------------------------- texts --- */

/* A level that comes to rest on its bound, where a when and the bound share the zero.
 */
static const char tank[] = "model Tank\n"
                           "  Real h(start = 0.25, fixed = true, min = 0) "
                           "annotation(__brink(domain = true));\n"
                           "  Boolean empty(start = false, fixed = true);\n"
                           "equation\n"
                           "  der(h) = (if time < 20 or time >= 80 then 0.03 else 0)\n"
                           "    - (if empty then 0 else 0.0369*sqrt(h));\n"
                           "  when h <= 0 then\n"
                           "    empty = true;\n"
                           "  elsewhen time >= 80 then\n"
                           "    empty = false;\n"
                           "  end when;\n"
                           "end Tank;\n";

/* Guards that begin a step within rounding of their zeros. */
static const char buck[] =
    "model Buck\n"
    "  Real i(start = 0, fixed = true), v(start = 0, fixed = true);\n"
    "  Real tooth = 3.8 + 4.4*(time - since)/4e-4, error = 8.4*(v - 11.3);\n"
    "  discrete Real since(start = 0, fixed = true);\n"
    "  Boolean on = error < tooth;\n"
    "equation\n"
    "  20e-3*der(i) = if on then 24 - v elseif i > 0 then -v else 0;\n"
    "  47e-6*der(v) = i - v/120;\n"
    "  when sample(4e-4, 4e-4) then\n"
    "    since = time;\n"
    "  end when;\n"
    "end Buck;\n";

static size_t text_times(const char *text, const char *locator, double t_end,
                         double *times)
{
  enum { MOST = 128 };
  brink_ctx *ctx = open_ctx();
  brink_model *model;
  brink_sim *sim;
  brink_sim_opts opt = brink_sim_defaults();

  if (brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  opt.locator = locator;
  opt.h_max = t_end / 50;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  brink_status rc = brink_sim_run(sim, t_end);
  if (rc != BRINK_END)
    print_error("%s: %s\n", locator, brink_sim_error(sim)->text);
  check_status(rc, BRINK_END);
  const brink_trace *trace = brink_sim_trace(sim);
  size_t n = brink_trace_events(trace);
  assert_true(n <= MOST);
  for (size_t k = 0; k < n; k++)
    times[k] = brink_trace_event(trace, k).t;
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return n;
}

static void texts_have_the_events_that_isolate_finds(void **state)
{
  static const char *const variants[] = {"direct", "direct-const", "direct-pc",
                                         "direct-pc2"};
  static const struct {
    const char *text;
    double t_end;
  } texts[] = {{tank, 200}, {buck, 0.012}};
  double want[128], got[128];

  (void)state;
  for (int i = 0; i < 2; i++) {
    size_t n = text_times(texts[i].text, "isolate", texts[i].t_end, want);
    assert_true(n > 2);
    for (int v = 0; v < 4; v++) {
      assert_int_equal(text_times(texts[i].text, variants[v], texts[i].t_end, got), n);
      for (size_t k = 0; k < n; k++)
        check_near(got[k], want[k], 1e-5 * texts[i].t_end);
    }
  }
}

/* 35 zeros in a second, where the solution takes steps of a third of it. */
static const char swings[] =
    "model Swings\n"
    "  Real x(start = 0.29, fixed = true), s(start = 0, fixed = true);\n"
    "  Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = 1.628*(1 + 0.403*cos(2.066*time));\n"
    "  der(s) = n;\n"
    "  when {sin(57*x) + 0.5 > 0, sin(57*x) + 0.5 < 0} then\n"
    "    n = pre(n) + 1;\n"
    "  end when;\n"
    "end Swings;\n";

/* Nearly all events are the locator's, in a few steps each. */
static void go_through_swings(const brink_model *model, brink_ctx *ctx,
                              const brink_sim_opts *opt)
{
  enum { ZEROS = 35, OWN = 32, STEPS_EACH = 8 };
  brink_sim *sim;
  int own = 0;

  check_status(brink_sim_new(ctx, model, opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(sim, 1), BRINK_END);
  const brink_trace *trace = brink_sim_trace(sim);
  long steps = brink_sim_statistics(sim).work.steps;
  assert_int_equal(brink_trace_events(trace), ZEROS);
  for (size_t k = 0; k < ZEROS; k++)
    own += strcmp(brink_trace_event(trace, k).located_by, opt->locator) == 0;
  if (own < OWN || steps > STEPS_EACH * ZEROS)
    fail_msg("%s, %s, h_max %g: %d of %d events are its own, %ld steps", opt->method,
             opt->locator, opt->h_max, own, ZEROS, steps);
  brink_sim_free(sim);
}

/* The guard cannot be read along all of a step of the method. */
static void a_guard_that_swings_is_not_lost_sight_of(void **state)
{
  static const char *const variants[] = {"direct", "direct-const", "direct-pc",
                                         "direct-pc2"};
  static const double longest[] = {0.07, 0};
  brink_ctx *ctx = open_ctx();
  brink_model *model;

  (void)state;
  if (brink_model_read(ctx, "m.mo", swings, strlen(swings), NULL, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  for (int m = 0; brink_method_name(m); m++)
    for (int v = 0; v < 4 && !owns_its_steps(m); v++)
      for (int h = 0; h < 2; h++) {
        brink_sim_opts opt = brink_sim_defaults();
        opt.method = brink_method_name(m);
        opt.locator = variants[v];
        opt.h_max = longest[h];
        opt.h0 = 0.01;
        go_through_swings(model, ctx, &opt);
      }
  brink_model_free(model);
  brink_ctx_free(ctx);
}

/* --------------------------------------------------------------- options --- */

static void an_order_that_there_is_not_is_refused(void **state)
{
  static const long wrong[] = {1, 9};

  (void)state;
  for (int i = 0; i < 2; i++) {
    brink_ctx *ctx = open_ctx();
    delbuono_problem p = {.r = 2};
    brink_model *model = delbuono_model(ctx, &p);
    brink_sim_opts opt = brink_sim_defaults();
    brink_sim *sim;
    opt.locate_order = wrong[i];
    check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_EARG);
    check_text(brink_ctx_error(ctx)->text, "must lie in [2, 8]");
    brink_model_free(model);
    brink_ctx_free(ctx);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_1_has_the_printed_digits),
      cmocka_unit_test(table_2_in_both_readings),
      cmocka_unit_test(table_3_is_consistent),
      cmocka_unit_test(locators_take_the_steps_of_the_paper),
      cmocka_unit_test(halved_steps_are_as_many_as_remark_3_1_says),
      cmocka_unit_test(orders_are_kept_where_f_is_smooth_enough),
      cmocka_unit_test(the_event_of_the_network_to_1e_10),
      cmocka_unit_test(guards_of_all_kinds_from_either_side),
      cmocka_unit_test(a_guard_that_is_too_slow_is_left_to_the_method),
      cmocka_unit_test(a_copy_in_the_middle_goes_on_bit_by_bit),
      cmocka_unit_test(texts_have_the_events_that_isolate_finds),
      cmocka_unit_test(a_guard_that_swings_is_not_lost_sight_of),
      cmocka_unit_test(an_order_that_there_is_not_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
