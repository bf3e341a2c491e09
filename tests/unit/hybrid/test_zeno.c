/* test_zeno.c -- where events accumulate the run ends with BRINK_ZENO, after a bounded
 * number of them, with every method and every locator; and nowhere else.
 *
 * A locator of one guess puts an event beside its zero.  That is an error of the same
 * part of every bounce, however small; so the bounces still shrink, or one of them is
 * lost, or, where H puts the state back onto a bound, late by a rounding of time, they
 * creep.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

#include "brink/automaton.h"
#include "event/locator.h"

static const char *const methods[] = {"dopri5", "dop853", "bs23",   "rkf45",
                                      "rk4",    "adams",  "auto-rk"};
enum { METHODS = sizeof methods / sizeof *methods };

static brink_sim_opts options(const char *method, const char *locator, long max_events)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.zeno = BRINK_ZENO_STEP; /* each bounce, and no rest after them */
  opt.zeno_gap = 1e-300;      /* down to rounding */

  opt.method = method;
  opt.locator = locator;
  opt.max_events = max_events;
  opt.keep = BRINK_KEEP_NOTHING;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 0.013;
  return opt;
}

static int rough(const char *locator) { return brink__locator_find(locator)->rough; }

/* ------------------------------------------------------------ the ball ---- */

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -9.81 - e->p[1] * y[1];
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] *= -j->p[0];
  return 0;
}

static double height(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static const double drop[] = {1, 0};

/* One ball, by a state or a callback, handed over after or nearest to its zeros. */
static rig throw_ball(const brink_sim_opts *opt, double kept, double drag, int callback,
                      brink_side side)
{
  const double p[] = {kept, drag};
  const brink_guard_def guard = {.name = "height", .fn = callback ? height : NULL};
  const brink_event_def event = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounce, .side = side};
  const brink_mode_def mode = {.name = "fly",
                               .n = 2,
                               .rhs = fall,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {
      .name = "ball", .modes = &mode, .n_modes = 1, .p = p, .n_p = 2};

  return rig_new(&def, opt, 0, 0, drop);
}

/* Steps of a locator are as good as the tolerance, 1e-6 each, where others are exact on
 * parabolas. */
static double allowed(int locator, double exact)
{
  return brink_locator_takes_steps(locator) ? 1e-4 : exact;
}

static void every_method_and_locator_ends_with_the_verdict(void **state)
{
  static const double kept[] = {0.5, 0.9};

  (void)state;
  for (int l = 0; brink_locator_name(l); l++) {
    long most = 0;
    for (int m = 0; m < METHODS; m++)
      for (int i = 0; i < 4; i++) {
        brink_sim_opts opt = options(methods[m], brink_locator_name(l), 500);
        brink_side side = i / 2 ? BRINK_NEAREST : BRINK_AFTER;
        rig r = throw_ball(&opt, kept[i % 2], 0.3 * (m % 2), i / 2, side);
        check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
        brink_sim_stats s = brink_sim_statistics(r.sim);
        most = s.events > most ? s.events : most;
        assert_int_equal(s.zeno_points, 1);
        if (!rough(opt.locator) && m % 2 == 0)
          check_near(brink_sim_time(r.sim),
                     sqrt(2 / 9.81) * (1 + kept[i % 2]) / (1 - kept[i % 2]),
                     allowed(l, 1e-7));
        rig_free(&r);
      }
    print_message("%-12s after at most %ld events\n", brink_locator_name(l), most);
  }
}

static void a_bounce_that_is_lost_beside_its_zero_is_told(void **state)
{
  brink_sim_opts opt = options("dopri5", "endpoint", 0);
  rig r = throw_ball(&opt, 0.5, 0, 0, BRINK_AFTER);

  (void)state;
  check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
  check_text(brink_sim_error(r.sim)->text,
             "closer than the locator 'endpoint' can tell");
  check_text(brink_sim_error(r.sim)->text, "it has put 'height' 5.28 beside its zero");
  rig_free(&r);
}

/* A tolerance for the times of events puts them beside their zeros, too. */
static void bounces_closer_than_event_tol_are_told(void **state)
{
  (void)state;
  for (int m = 0; m < METHODS; m++)
    for (int i = 0; i < 4; i++) {
      brink_sim_opts opt = options(methods[m], i % 2 ? "extrapolate" : "isolate", 500);
      opt.event_tol = 1e-6;
      rig r = throw_ball(&opt, 0.6, 0, i / 2, BRINK_AFTER);
      check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
      check_near(brink_sim_time(r.sim), sqrt(2 / 9.81) * 4, 1e-4);
      rig_free(&r);
    }
}

/* ------------------------------------------------- floors beside zero ---- */

static double above(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  return y[0] - e->p[2];
}

/* a plate on a spring, and a ball of half its mass */
static int plate_and_ball(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -200 * y[0] - 9.81;
  f[2] = y[3];
  f[3] = -9.81;
  return 0;
}

static double apart(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[2] - y[0];
}

static int collide(brink_jump *j)
{
  double push = (1 + j->p[0]) / 3 * (j->y[3] - j->y[1]);

  j->y[1] += push;
  j->y[3] -= 2 * push;
  return 0;
}

static rig throw_onto(const brink_sim_opts *opt, double kept, double level, int plate)
{
  const double p[] = {kept, 0.1, level};
  const double y0[] = {plate ? 0.02 : level + 1, 0, 0.05, 0};
  const brink_guard_def guard = {.name = "height", .fn = plate ? apart : above};
  const brink_event_def event = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = plate ? collide : bounce};
  const brink_mode_def mode = {.name = "fly",
                               .n = plate ? 4 : 2,
                               .rhs = plate ? plate_and_ball : fall,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {
      .name = "ball", .modes = &mode, .n_modes = 1, .p = p, .n_p = 3};

  return rig_new(&def, opt, 0, 0, y0);
}

/* Far from zero bounces vanish in rounding when they are still some 1e-8 s long, and
 * the last of them are no longer regular: nothing falls through all the same. */
static void bounces_end_on_floors_that_are_not_at_zero(void **state)
{
  static const double kept[] = {0.07, 0.3, 0.62}, levels[] = {0.3, -37, 1.7e4};

  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int m = 0; m < METHODS; m++)
      for (int i = 0; i < 12; i++) {
        brink_sim_opts opt = options(methods[m], brink_locator_name(l), 500);
        int plate = i >= 9;
        if (strcmp(opt.locator, "endpoint") == 0) /* does not see it in time */
          continue;
        rig r = throw_onto(&opt, kept[i % 3], levels[i / 3 % 3], plate);
        check_status(brink_sim_run(r.sim, plate ? 2 : 30), BRINK_ZENO);
        rig_free(&r);
      }
}

/* Where a bounce is nearly as long as the one before, rounding makes the last of them
 * longer and shorter in turn. */
static void balls_that_lose_little_do_not_fall_through(void **state)
{
  static const double kept[] = {0.931, 0.947, 0.962, 0.985},
                      levels[] = {0.3, -7.31, 1.7e4};

  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int m = 0; m < METHODS; m++)
      for (int i = 0; i < 12; i++) {
        brink_sim_opts opt = options(methods[m], brink_locator_name(l), 5000);
        if (rough(opt.locator))
          continue;
        rig r = throw_onto(&opt, kept[i % 4], levels[i / 4], 0);
        check_status(brink_sim_run(r.sim, 100), BRINK_ZENO);
        check_near(brink_sim_state(r.sim)[0], levels[i / 4], 1e-5);
        rig_free(&r);
      }
}

/* A ball that keeps its speed: no verdict, however long, and where one guess loses a
 * bounce (endpoint) it says no more than that. */
static void a_ball_that_loses_nothing_bounces_on(void **state)
{
  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int i = 0; i < 2; i++) {
      const char *locator = brink_locator_name(l);
      int long_one = strcmp(locator, "isolate") == 0 && i == 0;
      brink_sim_opts opt =
          options(i ? "rk4" : "dopri5", locator, long_one ? 100000 : 2000);
      rig r = throw_ball(&opt, 1, 0, 0, BRINK_AFTER);
      brink_status rc = brink_sim_run(r.sim, 1e9);
      if (rc == BRINK_ZENO)
        check_text(brink_sim_error(r.sim)->text, "locator 'endpoint' can tell");
      else if (strcmp(locator, "endpoint") != 0) /* which bounces ever higher */
        check_status(rc, BRINK_LIMIT);
      rig_free(&r);
    }
}

/* --------------------------------------------------------- in K, by H ---- */

static int lose(brink_boundary *b)
{
  b->x[1] *= -b->p[0];
  return 0;
}

static void plate(double t, const double *x, size_t i, double *lower, double *upper,
                  const brink_env *e)
{
  (void)x, (void)e, (void)upper;
  if (i == 0)
    *lower = 0.05 * sin(7 * t);
}

static int lose_to_plate(brink_boundary *b)
{
  double speed = 0.35 * cos(7 * b->t);

  b->x[1] = speed - b->p[0] * (b->x[1] - speed);
  return 0;
}

static rig throw_in_K(const brink_sim_opts *opt, double kept, double drag, int moves)
{
  static const double floor_only[] = {0, (double)-INFINITY};
  const double p[] = {kept, drag};
  const brink_constrained_def def = {.n = 2,
                                     .rhs = fall,
                                     .p = p,
                                     .n_p = 2,
                                     .lower = moves ? NULL : floor_only,
                                     .bounds = moves ? plate : NULL,
                                     .boundary = moves ? lose_to_plate : lose};
  rig r = {0};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_constrained_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, drop), BRINK_OK);
  return r;
}

/* H puts the state onto the bound with the speed of a later time.  With `endpoint` that
 * outweighs what is lost: the ball bounces higher and higher. */
static void bounces_from_a_bound_end_with_the_verdict(void **state)
{
  static const double kept[] = {0.5, 0.7};

  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int m = 0; m < METHODS; m++)
      for (int i = 0; i < 4; i++) {
        brink_sim_opts opt = options(methods[m], brink_locator_name(l), 700);
        if (strcmp(opt.locator, "endpoint") == 0)
          continue;
        rig r = throw_in_K(&opt, kept[i % 2], 0.3, i / 2);
        brink_status rc = brink_sim_run(r.sim, 9); /* or at rest on the bound */
        assert_true(rc == BRINK_ZENO || rc == BRINK_END);
        rig_free(&r);
      }
}

/* An interior step that is longer than the bounces: up to where the next one is
 * expected there are as many samples as ever, or one guess would be late by the same
 * part of each, and the ball go on for ever, from a little below the plate. */
static void bounces_shorter_than_the_interior_step_end_too(void **state)
{
  static const char *const locators[] = {"linear", "secant-1", "quadratic", "illinois"};
  static const double scans[] = {0.1, 0.02, 0.004};

  (void)state;
  for (int l = 0; l < 4; l++)
    for (int m = 0; m < METHODS; m++)
      for (int i = 0; i < 6; i++) {
        brink_sim_opts opt = options(methods[m], locators[l], 700);
        opt.scan_step = scans[i % 3];
        rig r = throw_in_K(&opt, 0.7, 0.3, i / 3);
        check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
        rig_free(&r);
      }
}

/* Near the end the rounding of the plate's place gives a ball as much as it loses. */
static void rounding_keeps_no_ball_in_the_air(void **state)
{
  static const char *const locators[] = {"isolate", "extrapolate", "itp", "quadratic"};

  (void)state;
  for (int i = 0; i < 4; i++) {
    brink_sim_opts opt = options("dopri5", locators[i], 1000);
    rig r = throw_in_K(&opt, 0.95, 0.3, 1);
    check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
    check_near(brink_sim_time(r.sim), 9.97, 0.2);
    rig_free(&r);
  }
}

/* Where the plate turns its curvature must not be taken for a speed away from the ball.
 */
static void a_plate_that_turns_is_no_way_out_of_K(void **state)
{
  brink_sim_opts opt = options("dop853", "linear", 700);

  (void)state;
  opt.rtol = 1e-10;
  rig r = throw_in_K(&opt, 0.6, 0.3, 1);
  check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
  rig_free(&r);
}

/* ------------------------------------------------------- two instants ---- */

static double sinks(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return -y[0];
}

static double always(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return 1;
}

/* Each bounce is a vertex of its own, which is left at once. */
static void bounces_of_two_instants_accumulate_too(void **state)
{
  static const brink_guard_def high = {.name = "high", .fn = sinks};
  static const brink_guard_def never = {.name = "never", .fn = always};
  static const brink_vertex_def vertices[] = {
      {.name = "fly", .n = 2, .rhs = fall, .invariants = &high, .n_invariants = 1},
      {.name = "touch", .n = 2, .rhs = fall, .invariants = &never, .n_invariants = 1}};
  static const brink_edge_def edges[] = {
      {.name = "down", .from = 0, .to = 1},
      {.name = "up", .from = 1, .to = 0, .reset = bounce}};
  const double p[] = {0.6, 0};
  const brink_automaton_def def = {.vertices = vertices,
                                   .n_vertices = 2,
                                   .edges = edges,
                                   .n_edges = 2,
                                   .p = p,
                                   .n_p = 2};

  (void)state;
  for (int l = 0; brink_locator_name(l); l++) {
    brink_sim_opts opt = options("dopri5", brink_locator_name(l), 1000);
    rig r = {0};
    if (rough(opt.locator))
      continue;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(brink_automaton_new(r.ctx, &def, &r.model), BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, drop), BRINK_OK);
    check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
    check_near(brink_sim_time(r.sim), sqrt(2 / 9.81) * 4, allowed(l, 1e-12));
    rig_free(&r);
  }
}

/* -------------------------------------------------------------- tanks ---- */

/* One tap, two tanks that leak: it fills the one whose level has come down. */
static int fill_first(double t, const double *x, double *f, const brink_env *e)
{
  (void)t, (void)x, (void)e;
  f[0] = 1.1 - 0.7;
  f[1] = -0.9;
  return 0;
}

static int fill_second(double t, const double *x, double *f, const brink_env *e)
{
  (void)t, (void)x, (void)e;
  f[0] = -0.7;
  f[1] = 1.1 - 0.9;
  return 0;
}

static double second_low(double t, const double *x, int k, const brink_env *e)
{
  (void)t, (void)k;
  return e->p[1] - x[1];
}

static double first_low(double t, const double *x, int k, const brink_env *e)
{
  (void)t, (void)k;
  return e->p[0] - x[0];
}

static void two_modes_that_take_turns_accumulate(void **state)
{
  static const double levels[][2] = {{0, 0}, {0.6526, -0.638}, {5.3, 2.17}};
  const brink_guard_def first = {.name = "x1 >= r1", .fn = first_low},
                        second = {.name = "x2 >= r2", .fn = second_low};
  const brink_vertex_def vertices[] = {{.name = "first",
                                        .n = 2,
                                        .rhs = fill_first,
                                        .invariants = &second,
                                        .n_invariants = 1},
                                       {.name = "second",
                                        .n = 2,
                                        .rhs = fill_second,
                                        .invariants = &first,
                                        .n_invariants = 1}};
  const brink_edge_def edges[] = {{.name = "to the second", .from = 0, .to = 1},
                                  {.name = "to the first", .from = 1, .to = 0}};

  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int m = 0; m < METHODS; m++)
      for (int i = 0; i < 3; i++) {
        const double *r = levels[i];
        const double y0[] = {r[0] + 0.83, r[1] + 1.21};
        const brink_automaton_def def = {.vertices = vertices,
                                         .n_vertices = 2,
                                         .edges = edges,
                                         .n_edges = 2,
                                         .p = r,
                                         .n_p = 2};
        brink_sim_opts opt = options(methods[m], brink_locator_name(l), 5000);
        brink_ctx *ctx;
        brink_model *model;
        brink_sim *sim;
        if (rough(opt.locator))
          continue;
        check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
        check_status(brink_automaton_new(ctx, &def, &model), BRINK_OK);
        check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
        check_status(brink_sim_start(sim, 0, 0, y0), BRINK_OK);
        check_status(brink_sim_run(sim, 30), BRINK_ZENO);
        check_near(brink_sim_time(sim), (0.83 + 1.21) / (0.7 + 0.9 - 1.1), 1e-9);
        brink_sim_free(sim);
        brink_model_free(model);
        brink_ctx_free(ctx);
      }
}

/* ------------------------------------------------------ no accumulation ---- */

static int clock_and_pendulum(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = -sin(y[0]) + 0.3 * cos(t);
  f[2] = 1;
  return 0;
}

static double due(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  return y[2] - e->p[0];
}

typedef double gap_fn(int k);

static double chirp(int k) { return 1.0 / k; }
static double slower(int k) { return 1 / (k * log(k + 2.0)); }
static double to_a_limit(int k) { return 1e-5 + pow(0.9, k); }
static double far_below(int k) { return k == 1 ? 1 : 1e-9; }

static const struct sequence {
  const char *name;
  gap_fn *gap;
} sequences[] = {{"1/k", chirp},
                 {"1/(k log k)", slower},
                 {"1e-5 + 0.9^k", to_a_limit},
                 {"1e-9", far_below}};

static int wind(brink_jump *j)
{
  const struct sequence *s = j->user;

  j->w[0] += 1;
  j->p[0] += s->gap((int)j->w[0]);
  j->y[1] += 0.01;
  return 0;
}

static void sequences_that_do_not_end_are_no_accumulation(void **state)
{
  static const brink_guard_def guard = {.name = "clock", .fn = due, .degree = 1};
  static const brink_event_def event = {.name = "due", .dir = BRINK_UP, .jump = wind};
  static const brink_mode_def mode = {.name = "m",
                                      .n = 3,
                                      .rhs = clock_and_pendulum,
                                      .guards = &guard,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};
  const double p = 0.1, w = 0, y0[] = {1, 0.2, 0};

  (void)state;
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
    for (int l = 0; brink_locator_name(l); l++) {
      struct sequence s = sequences[i];
      const brink_model_def def = {.name = "clock",
                                   .modes = &mode,
                                   .n_modes = 1,
                                   .p = &p,
                                   .n_p = 1,
                                   .w = &w,
                                   .n_w = 1,
                                   .user = &s};
      brink_sim_opts opt = options("dopri5", brink_locator_name(l), 1000);
      rig r = rig_new(&def, &opt, 0, 0, y0);
      brink_status rc = brink_sim_run(r.sim, 100);
      if (!rough(opt.locator) || rc != BRINK_END) /* it may have missed one, for good */
        check_status(rc, BRINK_LIMIT);
      rig_free(&r);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_and_locator_ends_with_the_verdict),
      cmocka_unit_test(a_bounce_that_is_lost_beside_its_zero_is_told),
      cmocka_unit_test(bounces_closer_than_event_tol_are_told),
      cmocka_unit_test(bounces_end_on_floors_that_are_not_at_zero),
      cmocka_unit_test(balls_that_lose_little_do_not_fall_through),
      cmocka_unit_test(a_ball_that_loses_nothing_bounces_on),
      cmocka_unit_test(bounces_from_a_bound_end_with_the_verdict),
      cmocka_unit_test(bounces_shorter_than_the_interior_step_end_too),
      cmocka_unit_test(rounding_keeps_no_ball_in_the_air),
      cmocka_unit_test(a_plate_that_turns_is_no_way_out_of_K),
      cmocka_unit_test(bounces_of_two_instants_accumulate_too),
      cmocka_unit_test(two_modes_that_take_turns_accumulate),
      cmocka_unit_test(sequences_that_do_not_end_are_no_accumulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
