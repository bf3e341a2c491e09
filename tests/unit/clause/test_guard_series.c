/* What is said about guards along a step is true, and tight enough to be of use. */
#include "flat.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#define VAL(x) fb_val(&b, x)
#define NUM(x) fb_num(&b, x)

/* exp(x) - 1e9 with x = c0 + c1 theta: coefficient k is exp(x) c1^k / k! */
static void enclosures_of_an_exponential_contain_and_are_tight(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 16);
  int x = fb_real(&b, "x", 0, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), NUM(1), 1);
  fb_when(&b,
          fb_rel(&b, BRINK_OP_GT, fb_fn(&b, BRINK_OP_EXP, VAL(x)), NUM(1e9), "g", 2),
          "g", 2);
  fb_assign(&b, n, fb_whole(&b, 1), 2);
  rig r = fb_start(&b, NULL, 0);
  brink__live *live = calloc(1, r.model->ops->live_size(r.model));
  r.model->ops->live_init(r.model, live, NULL);
  uint64_t seed = 11;
  for (int trial = 0; trial < 200; trial++) {
    double c[3] = {rand_in(&seed, -2, 2), rand_in(&seed, 0.1, 3), 0};
    double a = rand_in(&seed, 0, 0.9), w = rand_in(&seed, 0, 0.1), lo, hi,
           factorial = 1;
    brink_step step = {0.3, 0.7, 1.0, 1, 2, c};
    for (int k = 0; k <= 17; k++) {
      factorial *= k ? k : 1;
      assert_true(
          r.model->ops->guard_range(r.model, live, 0, 0, &step, a, a + w, k, &lo, &hi));
      for (int i = 0; i <= 4; i++) {
        double want = exp(c[0] + c[1] * (a + w * i / 4)) * pow(c[1], k) / factorial;
        double g = k ? want : want - 1e9;
        check_in(g, lo - 1e-13 * fabs(g), hi + 1e-13 * fabs(g));
      }
      /* the true range is a factor exp(c1 w) wide */
      double most = exp(c[0] + c[1] * (a + w)) * pow(c[1], k) / factorial;
      if (k)
        check_in(hi, 0, most * 1.5);
    }
  }
  free(live);
  rig_free(&r);
}

/* random steps through a guard with everything smooth in it: order 0 contains the
 * values, order 1 the difference quotients */
static void random_steps_stay_inside_their_enclosures(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 16);
  int x = fb_real(&b, "x", 0, 1), y = fb_real(&b, "y", 1, 1),
      q = fb_real(&b, "q", 0, -1);
  int n = fb_int(&b, "n", 0), p = fb_param(&b, "p", NUM(0.7));
  fb_eq(&b, fb_der(&b, x), VAL(y), 1);
  fb_eq(&b, fb_der(&b, y), NUM(0), 2);
  fb_eq(&b, VAL(q),
        fb_op(&b, BRINK_OP_ADD,
              fb_fn(&b, BRINK_OP_SIN, fb_op(&b, BRINK_OP_MUL, VAL(x), VAL(y))),
              fb_fn(&b, BRINK_OP_EXP, fb_op(&b, BRINK_OP_MUL, VAL(p), VAL(x)))),
        3);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, VAL(q), fb_time(&b), "q > time", 4), "q > time",
          4);
  fb_assign(&b, n, fb_whole(&b, 1), 4);
  rig r = fb_start(&b, NULL, 0);
  brink__live *live = calloc(1, r.model->ops->live_size(r.model));
  r.model->ops->live_init(r.model, live, NULL);
  uint64_t seed = 4;
  for (int trial = 0; trial < 500; trial++) {
    double c[10], lo, hi, s0, s1, last = 0;
    for (int i = 0; i < 10; i++)
      c[i] = rand_in(&seed, -1, 1) / (1 + i % 5 * i % 5);
    brink_step step = {rand_in(&seed, -2, 2), rand_in(&seed, 0.01, 1), 0, 2, 4, c};
    double a = rand_in(&seed, 0, 0.8), w = rand_in(&seed, 0.01, 0.2);
    if (!r.model->ops->guard_range(r.model, live, 0, 0, &step, a, a + w, 0, &lo, &hi) ||
        !r.model->ops->guard_range(r.model, live, 0, 0, &step, a, a + w, 1, &s0, &s1))
      fail_msg("a smooth guard was not enclosed");
    for (int i = 0; i <= 8; i++) {
      double theta = a + w * i / 8, s[2], g;
      brink_step_at(&step, theta, s);
      g = sin(s[0] * s[1]) + exp(0.7 * s[0]) - (step.t0 + theta * step.h);
      check_in(g, lo - 1e-14, hi + 1e-14);
      if (i)
        check_in((g - last) / (w / 8), s0 - 1e-12, s1 + 1e-12);
      last = g;
    }
  }
  free(live);
  rig_free(&r);
}

/* the guard cos(x)^2 - 1/2 has two zeros in one large step: both proved */
static void zeros_of_a_transcendental_guard_are_proved(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 16);
  int x = fb_real(&b, "x", 0, 1), n = fb_int(&b, "n", 0);
  brink__node c = fb_fn(&b, BRINK_OP_COS, VAL(x));
  fb_eq(&b, fb_der(&b, x), NUM(3), 1);
  brink__node low = fb_rel(&b, BRINK_OP_LT, fb_op(&b, BRINK_OP_MUL, c, c), NUM(0.5),
                           "cos(x)^2 < 0.5", 2);
  fb_when(&b, low, "cos(x)^2 < 0.5", 2);
  fb_cond(&b, fb_fn(&b, BRINK_OP_NOT, low));
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 2);
  brink_sim_opts opt = brink_sim_defaults();
  opt.method = "dopri5"; /* x = 3 t to the last bit */
  opt.h0 = 0.9;
  rig r = fb_start(&b, &opt, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  double pi = acos(-1);
  assert_int_equal(rig_events(&r), 2);
  check_near(rig_event(&r, 0).t, pi / 12, 1e-15);
  check_near(rig_event(&r, 1).t, pi / 4, 1e-15);
  assert_int_equal(rig_event(&r, 0).certificate, BRINK_PROVED);
  assert_int_equal(brink_sim_statistics(r.sim).certificate, BRINK_PROVED);
  rig_free(&r);
}

/* far from its zero a guard costs no samples at all */
static void a_guard_far_away_is_excluded_by_its_range(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 16);
  int x = fb_real(&b, "x", 0, 1), v = fb_real(&b, "v", 1, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), VAL(v), 1);
  fb_eq(&b, fb_der(&b, v), fb_fn(&b, BRINK_OP_NEG, VAL(x)), 2);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, fb_fn(&b, BRINK_OP_EXP, VAL(x)), NUM(5), "g", 3),
          "g", 3);
  fb_assign(&b, n, fb_whole(&b, 1), 3);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  assert_int_equal(s.certificate, BRINK_PROVED);
  check_in((double)s.g_evals, 1, (double)s.work.steps);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enclosures_of_an_exponential_contain_and_are_tight),
      cmocka_unit_test(random_steps_stay_inside_their_enclosures),
      cmocka_unit_test(zeros_of_a_transcendental_guard_are_proved),
      cmocka_unit_test(a_guard_far_away_is_excluded_by_its_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
