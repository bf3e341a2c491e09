/* test_dwell_time.c -- how long will a mode last?  The first step after an event is
 * chosen to end just beyond the next one [Donolo02, 3.3], by extrapolating the gaps.
 *
 * A clock with given gaps beside a pendulum: what of the last step of each gap is used
 * says how well the gap was foreseen; 1/1.02 is as intended.  With the last gap as the
 * bound, a sequence that shrinks by q uses q of its steps.
 */
#include "hybrid.h"

#include <math.h>

static double shrinks(int k) { return 0.31 * pow(0.9, k); }
static double halves(int k) { return 0.31 * pow(0.5, k); }
static double squares(int k) { return 1 / ((k + 2.0) * (k + 2.0)); }
static double slows(int k) { return 0.1 * pow(0.8, 3 * sqrt(k)); }
static double grows(int k) { return 0.4 - 0.37 * pow(0.8, k); }
static double irregular(int k) { return 0.05 + 0.3 * fmod(k * 0.6180339887, 1); }

static const struct sequence {
  const char *name;
  double (*gap)(int k);
  int n;
  double used;  /* of the steps that end at events, at least, on average */
  double steps; /* for each gap, at most                               */
} sequences[] = {
    {"0.9^k", shrinks, 120, 0.97, 1.05}, {"0.5^k", halves, 40, 0.95, 1.1},
    {"1/k^2", squares, 120, 0.96, 1.05}, {"0.8^(3 sqrt k)", slows, 120, 0.97, 1.05},
    {"growing", grows, 60, 0.7, 1.4},    {"irregular", irregular, 60, 0.3, 1.7},
};

typedef struct seen {
  double used; /* of the last step */
  double sum;
  int n;
} seen;

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

static int wind(brink_jump *j)
{
  const struct sequence *s = j->user;

  j->w[0] += 1;
  j->p[0] += s->gap((int)j->w[0]);
  j->y[1] += 0.01;
  return 0;
}

static int watch(const brink_step *step, double begin, double end, int mode, void *user)
{
  (void)step, (void)begin, (void)mode;
  ((seen *)user)->used = end;
  return 0;
}

static int count(const brink_event *e, void *user)
{
  seen *s = user;

  (void)e;
  if (s->n++ >= 4) /* before that nothing can be foreseen */
    s->sum += s->used;
  return 0;
}

static void steps_end_just_beyond_their_events(void **state)
{
  static const brink_guard_def guard = {.name = "clock", .fn = due, .degree = 1};

  (void)state;
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
    struct sequence s = sequences[i];
    const double y0[] = {1, 0.2, 0}, p = s.gap(0), w = 0;
    const brink_event_def event = {
        .name = "due", .dir = BRINK_UP, .jump = wind, .limit = s.n};
    const brink_mode_def mode = {.name = "m",
                                 .n = 3,
                                 .rhs = clock_and_pendulum,
                                 .guards = &guard,
                                 .n_guards = 1,
                                 .events = &event,
                                 .n_events = 1};
    const brink_model_def def = {.name = "clock",
                                 .modes = &mode,
                                 .n_modes = 1,
                                 .p = &p,
                                 .n_p = 1,
                                 .w = &w,
                                 .n_w = 1,
                                 .user = &s};
    brink_sim_opts opt = brink_sim_defaults();
    seen saw = {0};
    opt.method = "dopri5";
    opt.rtol = opt.atol = 1e-5;
    rig r = rig_new(&def, &opt, 0, 0, y0);
    brink_sim_observe(r.sim, &(brink_observer){watch, count, &saw});
    check_status(brink_sim_run(r.sim, 100), BRINK_TERMINATED);
    double used = saw.sum / (s.n - 4);
    double steps = (double)brink_sim_statistics(r.sim).work.steps / s.n;
    print_message("%-14s %.3f of the step used, %.2f steps a gap\n", s.name, used,
                  steps);
    check_in(used, s.used, 1);
    check_in(steps, 1, s.steps);
    rig_free(&r);
  }
}

/* ------------------------------------------------------- accumulation ---- */

static int falls(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.8;
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] *= -0.9;
  return 0;
}

/* Fixed steps much longer than the bounces: the last ones are lost in the rounding of
 * the step polynomial, long before time cannot move on. */
static void a_ball_with_fixed_steps_does_not_fall_through(void **state)
{
  static const brink_guard_def guard = {.name = "height", .state = 0};
  static const brink_event_def event = {
      .name = "hit", .dir = BRINK_DOWN, .jump = bounce};
  static const brink_mode_def mode = {.name = "m",
                                      .n = 2,
                                      .rhs = falls,
                                      .guards = &guard,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};
  static const brink_model_def def = {.name = "ball", .modes = &mode, .n_modes = 1};
  static const double steps[] = {0.0011, 0.012, 0.31}, y0[] = {0.2, 0};

  (void)state;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = "rk4";
    opt.h0 = steps[i];
    opt.zeno = BRINK_ZENO_STEP;
    opt.zeno_gap = 1e-300; /* down to rounding */
    rig r = rig_new(&def, &opt, 0, 0, y0);
    check_status(brink_sim_run(r.sim, 12), BRINK_ZENO);
    check_near(brink_sim_time(r.sim), sqrt(0.4 / 9.8) * 19, 1e-6);
    check_near(brink_sim_state(r.sim)[0], 0, 1e-12);
    rig_free(&r);
  }
}

static int wind_once_more(brink_jump *j)
{
  j->w[0] += 1;
  if (j->w[0] < 20)
    j->p[0] += shrinks((int)j->w[0]);
  return 0;
}

static void gaps_that_shrink_and_end_are_no_accumulation(void **state)
{
  static const brink_guard_def guard = {.name = "clock", .fn = due, .degree = 1};
  static const brink_event_def event = {
      .name = "due", .dir = BRINK_UP, .jump = wind_once_more};
  static const brink_mode_def mode = {.name = "m",
                                      .n = 3,
                                      .rhs = clock_and_pendulum,
                                      .guards = &guard,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};
  const double p = shrinks(0), w = 0, y0[] = {1, 0.2, 0};
  const brink_model_def def = {.name = "clock",
                               .modes = &mode,
                               .n_modes = 1,
                               .p = &p,
                               .n_p = 1,
                               .w = &w,
                               .n_w = 1};
  rig r = rig_new(&def, NULL, 0, 0, y0);

  (void)state;
  check_status(brink_sim_run(r.sim, 9), BRINK_END);
  assert_int_equal(rig_events(&r), 20);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_end_just_beyond_their_events),
      cmocka_unit_test(a_ball_with_fixed_steps_does_not_fall_through),
      cmocka_unit_test(gaps_that_shrink_and_end_are_no_accumulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
