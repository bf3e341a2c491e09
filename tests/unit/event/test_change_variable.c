/* Rates of guards along f, and steps with another independent variable than time. */
#include "hybrid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "brink/load.h"
#include "event/change_variable.h"
#include "hybrid/sim.h"
#include "plain_methods.h"

/* x' = v, v' = -x - 0.3 t: x = cos, v = -sin and a part that is linear in t */
static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = -y[0] - 0.3 * t;
  return 0;
}

static double energy(double t, const double *y, int k, const brink_env *e)
{
  (void)k, (void)e;
  return y[0] * y[0] + 0.7 * y[1] * y[1] + 0.2 * t * y[0] - 1.3;
}

static double energy_rate(double t, const double *y, const double *f)
{
  return 2 * y[0] * f[0] + 1.4 * y[1] * f[1] + 0.2 * (y[0] + t * f[0]);
}

static double energy_by_hand(double t, const double *y, const double *f, int k,
                             const brink_env *e)
{
  (void)k, (void)e;
  return energy_rate(t, y, f);
}

static double wave(double t, const double *y, int k, const brink_env *e)
{
  (void)k, (void)e;
  return exp(0.4 * y[0]) * sin(3 * y[1] + t) - 0.2;
}

static double wave_rate(double t, const double *y, const double *f)
{
  double a = 3 * y[1] + t;

  return exp(0.4 * y[0]) * (0.4 * f[0] * sin(a) + cos(a) * (3 * f[1] + 1));
}

static double line(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return 2.5 * y[0] - y[1] + 0.125;
}

enum { POSITION, ENERGY, BY_HAND, WAVE, LINE, GUARDS };

static const brink_guard_def guards[GUARDS] = {
    {.name = "x", .state = 0, .level = 0.31},
    {.name = "energy", .fn = energy, .degree = 2},
    {.name = "by hand", .fn = energy, .rate = energy_by_hand},
    {.name = "wave", .fn = wave},
    {.name = "line", .fn = line}};
static const brink_mode_def mode = {
    .name = "swing", .n = 2, .rhs = swing, .guards = guards, .n_guards = GUARDS};
static const brink_model_def def = {.name = "swing", .modes = &mode, .n_modes = 1};

/* The same guards as text; a relation each. */
static const char text[] = "model swing\n"
                           "  Real x(start = 0.9, fixed = true);\n"
                           "  Real v(start = 0.2, fixed = true);\n"
                           "  Boolean a, b, c, d;\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = -x - 0.3*time;\n"
                           "  a = x > 0.31;\n"
                           "  b = x^2 + 0.7*v^2 + 0.2*time*x > 1.3;\n"
                           "  c = exp(0.4*x)*sin(3*v + time) > 0.2;\n"
                           "  d = 2.5*x - v + 0.125 > 0;\n"
                           "end swing;\n";

static void rates_along_f_are_those_of_calculus(void **state)
{
  /* what each is known to, relatively: differences of a guard that is no parabola lose
   * some digits */
  static const double tol[GUARDS] = {0, 1e-13, 0, 1e-10, 1e-12};
  const double y0[] = {0.9, 0.2};
  rig r = rig_new(&def, NULL, 0, 0, y0);
  brink__guards *g = &r.sim->regime->guards;

  (void)state;
  for (int i = 0; i < 40; i++) {
    double t = 0.17 + 0.31 * i, y[] = {cos(0.7 * i), 1.2 * sin(0.9 * i + 1)}, f[2];
    swing(t, y, f, NULL);
    const double want[GUARDS] = {f[0], energy_rate(t, y, f), energy_rate(t, y, f),
                                 wave_rate(t, y, f), 2.5 * f[0] - f[1]};
    for (int k = 0; k < GUARDS; k++)
      for (double span = 0.01; span < 2; span *= 10) {
        double rate;
        assert_true(brink__guard_rate(g, k, t, y, f, span, &rate));
        check_near(rate, want[k], tol[k] * (1 + 0.01 / span) * (1 + fabs(want[k])));
      }
  }
  rig_free(&r);
}

static void a_text_model_differentiates_its_guards(void **state)
{
  rig r = {0};
  int jets = 0;

  (void)state;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(
      brink_model_read(r.ctx, "swing.mo", text, sizeof text - 1, NULL, &r.model),
      BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  brink__guards *g = &r.sim->regime->guards;
  assert_int_equal(g->n, 4);
  for (int i = 0; i < 20; i++) {
    double t = 0.17 + 0.31 * i, y[] = {cos(0.7 * i), 1.2 * sin(0.9 * i + 1)}, f[2];
    swing(t, y, f, NULL);
    const double want[] = {f[0], energy_rate(t, y, f), wave_rate(t, y, f),
                           2.5 * f[0] - f[1]};
    for (int k = 0; k < g->n; k++) {
      double rate;
      long evals = g->evals;
      assert_true(brink__guard_rate(g, k, t, y, f, 0.1, &rate));
      check_near(fabs(rate), fabs(want[k]), 4e-15 * (1 + fabs(want[k])));
      if (g->info[k].form == BRINK__GUARD_JET) { /* not by differences */
        assert_int_equal(g->evals, evals + 1);
        jets++;
      }
    }
  }
  assert_true(jets > 0);
  rig_free(&r);
}

/* -------------------------------------------------------------- steps ---- */

/* x = cos t and v = -sin t: no part that is driven. */
static int circle(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -y[0];
  return 0;
}

static const brink_guard_def level = {.name = "x", .state = 0, .level = 0.5};
static const brink_mode_def circle_mode = {
    .name = "circle", .n = 2, .rhs = circle, .guards = &level, .n_guards = 1};
static const brink_model_def circle_def = {
    .name = "circle", .modes = &circle_mode, .n_modes = 1};

/* From t0 on, to where the variable is s1, with `steps` steps; z at the end. */
static brink_status go(rig *r, const char *method, brink__variable by, double t0,
                       double s0, double s1, int steps, double *z)
{
  static double memory[400], work[4];
  const brink_method *m = brink__method_find(method);
  const brink__tol tol = {.atol = 1e-9};
  brink__regime *regime = r->sim->regime;
  brink__change c = {.gate = &regime->probe,
                     .guards = &regime->guards,
                     .by = by,
                     .span = 0.3,
                     .least_rate = -1e-3,
                     .curvature = -cos(t0),
                     .work = work};
  double err;

  z[0] = t0;
  z[1] = cos(t0);
  z[2] = -sin(t0);
  memset(memory, 0, sizeof memory);
  return brink__change_advance(&c, m, memory, &tol, steps, s0, s1, z, &err);
}

/* x falls from cos 0.6 to 0.5 (v from -sin 0.6 to -sin 1.1); from the turning point at
 * t = 0 the root of 2 (1 - x) = s^2. */
static void every_variable_leads_to_where_it_says_with_the_order_of_the_method(void **s)
{
  static const struct {
    brink__variable by;
    double t0, s0, s1, t1;
  } way[] = {{BRINK__BY_TIME, 0.6, 0.6, 1.1, 1.1},
             {BRINK__BY_GUARD, 0.6, 0.32533561490967836, 0, 1.0471975511965979},
             {BRINK__BY_RATE, 0.6, -0.56464247339503535, -0.89120736006143542, 1.1},
             {BRINK__BY_ROOT, 0, 0, 1, 1.0471975511965979}};
  const double y0[] = {1, 0};
  rig r = rig_new(&circle_def, NULL, 0, 0, y0);

  (void)s;
  EACH_PLAIN_METHOD (i) {
    const brink_method *m = brink__method_find(brink_method_name(i));
    for (int w = 0; w < 4 && m->stages > 0; w++) {
      int steps = m->order > 6 ? 4 : 8;
      double z[3], error[2];
      for (int k = 0; k < 2; k++) {
        check_status(
            go(&r, m->name, way[w].by, way[w].t0, way[w].s0, way[w].s1, steps << k, z),
            BRINK_OK);
        error[k] = fabs(z[0] - way[w].t1) + fabs(z[1] - cos(way[w].t1)) +
                   fabs(z[2] + sin(way[w].t1));
      }
      print_message("%-7s variable %d, %d steps: error %.2e, twice as many %.2e\n",
                    m->name, (int)way[w].by, steps, error[0], error[1]);
      /* rates of rates are differences, and the last digits theirs; the derivative of
       * s/g' by the states is infinite at s = 0, and the first stages are rough */
      int order = way[w].by == BRINK__BY_ROOT && m->order > 5 ? 5 : m->order;
      if (error[1] > (way[w].by == BRINK__BY_RATE ? 1e-9 : 1e-14))
        check_in(log2(error[0] / error[1]), order - 0.4, order + 1.7);
      if (way[w].by == BRINK__BY_GUARD || way[w].by == BRINK__BY_ROOT)
        check_near(z[1], 0.5, 4 * DBL_EPSILON); /* exact by construction */
    }
  }
  rig_free(&r);
}

static void a_guard_at_rest_is_no_variable(void **state)
{
  const double y0[] = {1, 0};
  rig r = rig_new(&circle_def, NULL, 0, 0, y0);
  double z[3];

  (void)state;
  check_status(go(&r, "dopri5", BRINK__BY_GUARD, 0, 0.5, 0, 1, z), BRINK_EDOMAIN);
  check_status(go(&r, "dopri5", BRINK__BY_GUARD, -0.4, 0.4, 0, 1, z), BRINK_EDOMAIN);
  rig_free(&r);
}

/* The same circle, which does not exist to the right of where it is asked for: a rate
 * can be told there, a difference of rates cannot. */
static int half_circle(double t, const double *y, double *f, const brink_env *e)
{
  circle(t, y, f, e);
  return y[0] > 0.82533561490967836 + 1e-9; /* cos 0.6 */
}

static void where_f_ends_there_is_no_rate_of_a_rate(void **state)
{
  brink_mode_def cut = circle_mode;
  brink_model_def cut_def = circle_def;
  const double y0[] = {0.5, -0.8};
  double z[3];

  (void)state;
  cut.rhs = half_circle;
  cut_def.modes = &cut;
  rig r = rig_new(&cut_def, NULL, 0, 0, y0);
  check_status(go(&r, "dopri5", BRINK__BY_GUARD, 0.6, 0.32533561490967836, 0, 8, z),
               BRINK_OK);
  check_status(go(&r, "dopri5", BRINK__BY_RATE, 0.6, -0.56464247339503535, -0.8, 8, z),
               BRINK_EDOMAIN);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_along_f_are_those_of_calculus),
      cmocka_unit_test(a_text_model_differentiates_its_guards),
      cmocka_unit_test(
          every_variable_leads_to_where_it_says_with_the_order_of_the_method),
      cmocka_unit_test(a_guard_at_rest_is_no_variable),
      cmocka_unit_test(where_f_ends_there_is_no_rate_of_a_rate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
