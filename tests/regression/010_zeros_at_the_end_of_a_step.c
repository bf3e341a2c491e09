/* Two guards with zeros a few roundings apart, near the end of a step.  One of them
 * acts, and the step is cut there; the polynomial of the other does not leave its zero
 * band before the step ends, so that it is not hit; but at the restart it has its new
 * sign: its event was lost.  `endpoint` and `bisection-1` lost it in another way: what
 * a state is uncertain by where a whole step is the width of the event was multiplied
 * by 2^24 to ask what that does to a guard, which then never left its band. */
#include "hybrid.h"

#include <math.h>

static double two(double t, const double *y, int k, const brink_env *e)
{
  double g = -0.2328273671065583 * (t + 29.884541116839372) * (t + 30.087281687033219);

  (void)y, (void)e;
  return k ? g / (1 + g * g)
           : -0.24477298512464857 * (t + 29.884541116839376) *
                 (t + 29.780128983794643) * (t + 29.244898986109643);
}

static double eight(double t, const double *y, int k, const brink_env *e)
{
  double g = 2.1255403588794182 * (t - 366.04294328953102) * (t - 366.07698068955455) *
             (t - 366.43805755194319) * (t - 366.15465973168915) *
             (t - 365.22058568877958);

  (void)y, (void)e;
  return k ? 0.80685495438154609 * (t - 366.04294328953159) * (t - 365.44299227816532) *
                 (t - 364.61559822529875) * exp(0.3 * (t - 364.4904399576655))
           : g / (1 + g * g);
}

/* zeros at p[0] and p[1]; the first guard is bent */
static double pair(double t, const double *y, int k, const brink_env *e)
{
  (void)t;
  return k ? y[0] - e->p[1] : 1e3 * (y[0] - e->p[0]) * (y[0] + 100);
}

static int unit_slope(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  f[1] = 0;
  return 0;
}

static int relax(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = 1;
  f[1] = -y[1] + sin(3 * t);
  return 0;
}

static int count(brink_jump *j)
{
  j->w[0] += 1;
  return 0;
}

static rig two_new(brink_rhs_fn *rhs, brink_guard_fn *fn, const double *p,
                   const brink_sim_opts *opt, double t0)
{
  const double y0[] = {t0, 0.3}, w[] = {0};
  const brink_guard_def guards[] = {{.name = "a", .fn = fn}, {.name = "b", .fn = fn}};
  const brink_event_def events[] = {{.name = "a", .guard = 0, .jump = count},
                                    {.name = "b", .guard = 1, .jump = count}};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = rhs,
                               .guards = guards,
                               .n_guards = 2,
                               .events = events,
                               .n_events = 2};
  const brink_model_def def = {
      .modes = &mode, .n_modes = 1, .p = p, .n_p = 2, .w = w, .n_w = 1};

  return rig_new(&def, opt, t0, 0, y0);
}

typedef struct story {
  brink_guard_fn *fn;
  const char *method;
  double t0, span, h;
  size_t n;
  double near; /* where two zeros are */
} story;

static void a_guard_passed_inside_its_band_is_hit_too(void **state)
{
  static const story stories[] = {{two, "bs23", -31.088226590268576, 2.5904483819685331,
                                   0.43018299571720259, 5, -29.884541116839374},
                                  {eight, "rk4", 364.4904399576655, 2.0264829692111825,
                                   0.2499868230291839, 8, 366.0429432895313}};
  static const double none[] = {0, 0};

  (void)state;
  for (int i = 0; i < 2; i++)
    for (int j = 0; brink_locator_name(j); j++) {
      const story *s = &stories[i];
      brink_sim_opts opt = brink_sim_defaults();
      int found = 0;
      if (!brink_locator_proves(j))
        continue;
      opt.method = s->method;
      opt.rtol = 1e-8;
      opt.locator = brink_locator_name(j);
      opt.h0 = i ? s->h : 0;
      opt.h_max = s->h;
      rig r = two_new(relax, s->fn, none, &opt, s->t0);
      check_status(brink_sim_run(r.sim, s->t0 + s->span), BRINK_END);
      assert_int_equal(rig_events(&r), s->n);
      for (size_t k = 0; k < s->n; k++)
        found += fabs(rig_event(&r, k).t - s->near) < 1e-12;
      assert_int_equal(found, 2);
      rig_free(&r);
    }
}

static void no_locator_loses_the_second_of_two(void **state)
{
  const double t0 = 0.37, end = t0 + 0.25, ulp = 0x1p-53;

  (void)state;
  for (int j = 0; brink_locator_name(j); j++)
    for (int a = -5; a <= 5; a += 2)
      for (int b = -4; b <= 4; b += 2) {
        const double p[] = {end + a * ulp, end + b * ulp};
        brink_sim_opts opt = brink_sim_defaults();
        opt.locator = brink_locator_name(j);
        opt.h0 = opt.h_max = 0.25;
        rig r = two_new(unit_slope, pair, p, &opt, t0);
        check_status(brink_sim_run(r.sim, t0 + 1), BRINK_END);
        assert_int_equal(rig_events(&r), 2);
        rig_free(&r);
      }
}

static void a_zero_at_the_end_of_a_run_is_known_to_be_there(void **state)
{
  const double t0 = 3.7123, p[] = {5.9371, 99};

  (void)state;
  for (int j = 0; brink_locator_name(j); j++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = "dopri5"; /* which comes to the zero exactly */
    opt.locator = brink_locator_name(j);
    rig r = two_new(unit_slope, pair, p, &opt, t0);
    check_status(brink_sim_run(r.sim, p[0]), BRINK_END);
    for (size_t k = 0; k < rig_events(&r); k++) { /* endpoint: in the next step */
      check_near(rig_event(&r, k).t, p[0], 0);
      check_in(rig_event(&r, k).width, 0, 1e-12);
    }
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_guard_passed_inside_its_band_is_hit_too),
      cmocka_unit_test(no_locator_loses_the_second_of_two),
      cmocka_unit_test(a_zero_at_the_end_of_a_run_is_known_to_be_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
