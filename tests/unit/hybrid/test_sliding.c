/* test_sliding.c -- relays hidden in f, along which the solution slides: the run ends
 * with a sentence after some thousand evaluations, with every adaptive method, and with
 * a fixed step after some hundred of them; and relays that are crossed, however often,
 * laws that are stiff, and laws that are steep, are no reason.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"dopri5", "dop853", "bs23",
                                      "rkf45",  "adams",  "auto-rk"};
static const double tolerances[] = {1e-3, 3e-4, 1e-4, 3e-5,  1e-5,  1e-6,
                                    1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
enum { METHODS = 6, TOLERANCES = 12 };

static double sign(double x) { return (x > 0) - (x < 0); }

/* ------------------------------------------------------------- sliding ---- */

static int leans(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = 0.3 - sign(y[0]);
  return 0;
}

/* a controller that keeps y2 = -y1/2 */
static int control(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = cos(t) - 3 * sign(y[1] + 0.5 * y[0]);
  return 0;
}

/* comes to rest where the spring is weaker than friction */
static int sticks(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = -y[0] + 0.9 * sin(1.3 * t) - 1.2 * sign(y[1]);
  return 0;
}

/* the surface has two sides only, and its neighbour nothing to do with it */
static int pulls(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -(1 + 0.5 * sin(3 * t)) * (y[0] > 1 ? 1 : -1) + 0.2 * cos(t);
  f[1] = y[0] - y[1];
  return 0;
}

static const struct slide {
  brink_rhs_fn *f;
  size_t n;
  double y0[2];
  double t; /* where it begins: the zero of the solution of the smooth law */
  const char *where;
} slides[] = {
    {leans, 1, {1, 0}, 1 / 0.7, "der(y1) jumps between"},
    {control, 2, {1, 0}, 0.235073804601340, "der(y2) jumps between"},
    {sticks, 2, {2, 0}, 1.701340092263467, "der(y2) jumps between"},
    {pulls, 2, {2, 0}, 0.845863866669954, "der(y1) jumps between"},
};

static rig begin(brink_rhs_fn *f, size_t n, const double *y0, const char *method,
                 double rtol)
{
  const brink_mode_def mode = {.name = "m", .n = n, .rhs = f};
  const brink_model_def def = {.name = "hidden", .modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = rtol;
  opt.max_steps = 400000;
  return rig_new(&def, &opt, 0, 0, y0);
}

static void solutions_that_slide_end_with_a_sentence(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof slides / sizeof *slides; i++) {
    long most = 0;
    for (int m = 0; m < METHODS; m++)
      for (int k = 0; k < TOLERANCES; k++) {
        const struct slide *s = &slides[i];
        rig r = begin(s->f, s->n, s->y0, methods[m], tolerances[k]);
        check_status(brink_sim_run(r.sim, 20), BRINK_EITERATION);
        const char *text = brink_sim_error(r.sim)->text;
        long f_evals = brink_sim_statistics(r.sim).work.f_evals;
        check_text(text, "the solution slides or chatters from t = ");
        check_text(text, s->where);
        check_in(brink_sim_time(r.sim), s->t - 1000 * tolerances[k],
                 s->t + (tolerances[k] < 1e-4 ? 0.2 : 3)); /* seen after a while */
        most = f_evals > most ? f_evals : most;
        rig_free(&r);
      }
    print_message("%zu: at most %ld evaluations\n", i, most);
    check_in((double)most, 100, 40000);
  }
}

static rig begin_fixed(brink_rhs_fn *f, size_t n, const double *y0, double h)
{
  const brink_mode_def mode = {.name = "m", .n = n, .rhs = f};
  const brink_model_def def = {.name = "hidden", .modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "rk4";
  opt.h0 = h;
  return rig_new(&def, &opt, 0, 0, y0);
}

static void solutions_that_slide_end_with_a_fixed_step_too(void **state)
{
  static const double steps[] = {0.0317, 0.0074, 0.00113};

  (void)state;
  for (size_t i = 0; i < sizeof slides / sizeof *slides; i++)
    for (int k = 0; k < 3; k++) {
      const struct slide *s = &slides[i];
      rig r = begin_fixed(s->f, s->n, s->y0, steps[k]);
      check_status(brink_sim_run(r.sim, 60), BRINK_EITERATION);
      const char *text = brink_sim_error(r.sim)->text;
      check_text(text, "the solution slides or chatters at t = ");
      check_text(text, s->where);
      check_in(brink_sim_time(r.sim), s->t - steps[k],
               s->t + 1300 * steps[k]); /* sticks, in short */
      rig_free(&r);
    }
}

/* Both values are those of the sides, also where the jump has a value of its own. */
static void the_sentence_names_both_sides(void **state)
{
  rig r = begin(leans, 1, (double[]){1}, "dopri5", 1e-6);

  (void)state;
  check_status(brink_sim_run(r.sim, 3), BRINK_EITERATION);
  const char *text = brink_sim_error(r.sim)->text;
  check_text(text, "from t = 1.42857");
  check_text(text, "-0.7");
  check_text(text, "1.3");
  check_near(brink_sim_error(r.sim)->t, 1 / 0.7, 1e-5);
  rig_free(&r);
}

/* A start on the jump itself, which there has a value of its own. */
static void a_start_on_the_jump_slides_at_once(void **state)
{
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    rig r = begin(leans, 1, (double[]){0}, methods[m], 1e-6);
    check_status(brink_sim_run(r.sim, 3), BRINK_EITERATION);
    check_near(brink_sim_time(r.sim), 0, 1e-3);
    rig_free(&r);
  }
}

/* ---------------------------------------------------------- no sliding ---- */

static int square_wave(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = (fmod(t, 1e-3) < 0.5e-3 ? 1 : -1) - y[0];
  return 0;
}

/* x'' = -sign x: a period of 4 sqrt(2 x0) */
static int relay(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -sign(y[0]);
  return 0;
}

/* loses 2 * 0.01 of its amplitude 4 in each half-swing */
static int rubs(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -y[0] - 0.01 * sign(y[1]);
  return 0;
}

static int stiff(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -1e4 * (y[0] - cos(t));
  return 0;
}

static int steep(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = 0.3 - tanh(1e4 * y[0]);
  return 0;
}

static const struct honest {
  brink_rhs_fn *f;
  size_t n;
  double y0[2], t_end;
  long switches; /* that are met, -1: not told */
} honest[] = {
    {square_wave, 1, {0, 0}, 0.5, 999}, {relay, 2, {1, 0}, 400, 141},
    {rubs, 2, {4, 0}, 600, 190},        {stiff, 1, {2, 0}, 0.7, -1},
    {steep, 1, {1, 0}, 2.1, -1},
};

static void relays_that_are_crossed_and_stiff_laws_run_on(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof honest / sizeof *honest; i++)
    for (int m = 0; m < METHODS; m++) {
      const struct honest *h = &honest[i];
      rig r = begin(h->f, h->n, h->y0, methods[m], 1e-6);
      check_status(brink_sim_run(r.sim, h->t_end), BRINK_END);
      long met = brink_sim_statistics(r.sim).work.unguarded;
      if (h->switches >= 0)
        check_in((double)met, (double)h->switches - 1, (double)h->switches + 1);
      rig_free(&r);
    }
}

/* f is looked ahead at: two evaluations in 128 steps, a few hundred where it changes */
static void with_a_fixed_step_they_run_on_too(void **state)
{
  static const double steps[] = {0.73e-4, 0.00913, 0.00913, 1.7e-4, 1.7e-4};

  (void)state;
  for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
    const struct honest *h = &honest[i];
    rig r = begin_fixed(h->f, h->n, h->y0, steps[i]);
    check_status(brink_sim_run(r.sim, h->t_end), BRINK_END);
    brink_work work = brink_sim_statistics(r.sim).work;
    print_message("%zu: %ld steps, %ld evaluations\n", i, work.steps, work.f_evals);
    check_in((double)(work.f_evals - 4 * work.steps), 2,
             0.05 * (double)work.steps + 600);
    rig_free(&r);
  }
}

/* so slow that the next switch is within the tolerance */
static int slow_wave(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = fmod(t, 1e-3) < 0.5e-3 ? 1e-7 : -1e-7;
  return 0;
}

static int slow_crossing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = 1e-7 * (2 - sign(y[0]));
  return 0;
}

/* slides, but by less than a tolerance until the end */
static int trifle(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[0] > 0 ? -6e-16 : 5e-16;
  return 0;
}

/* A run that is far from its end is looked at where a switch lies just ahead. */
static void a_switch_that_is_crossed_or_cannot_matter_is_no_sliding(void **state)
{
  static const struct slow {
    brink_rhs_fn *f;
    double y0, h_max;
  } slow[] = {
      {slow_wave, -1e-10, 1e-4}, {slow_crossing, -1e-10, 1e-6}, {trifle, 0, 1e-4}};

  (void)state;
  for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
    const brink_mode_def mode = {.name = "m", .n = 1, .rhs = slow[i].f};
    const brink_model_def def = {.name = "slow", .modes = &mode, .n_modes = 1};
    brink_sim_opts opt = brink_sim_defaults();
    opt.h_max = slow[i].h_max;
    opt.max_steps = 1000;
    rig r = rig_new(&def, &opt, 0, 0, &slow[i].y0);
    check_status(brink_sim_run(r.sim, 1e5), BRINK_LIMIT);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_that_slide_end_with_a_sentence),
      cmocka_unit_test(solutions_that_slide_end_with_a_fixed_step_too),
      cmocka_unit_test(the_sentence_names_both_sides),
      cmocka_unit_test(a_start_on_the_jump_slides_at_once),
      cmocka_unit_test(relays_that_are_crossed_and_stiff_laws_run_on),
      cmocka_unit_test(with_a_fixed_step_they_run_on_too),
      cmocka_unit_test(a_switch_that_is_crossed_or_cannot_matter_is_no_sliding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
