/* test_stiff_input.c -- what implicit methods are given and cannot use ends the run
 * with a sentence that says what, where and which number. */
#include "hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/method.h"

static const char *const methods[] = {"radau", "cvode", "auto"};

#define EACH_STIFF(name)                                                               \
  for (size_t m_ = 0; m_ < sizeof methods / sizeof *methods; m_++)                     \
    for (const char *name = methods[m_]; name && !brink__method_find(name)->needs;     \
         name = NULL)

/* ------------------------------------------------- Jacobians that are wrong ---- */

/* A stiff pair; what its Jacobian claims beside the truth. */
typedef struct claims {
  double first;  /* df0/dy0 from the first call on, 0: as it is */
  double late;   /* all entries from t = 0.41 on, 0: as they are */
  double grown;  /* df0/dy0 from t = 0.41 on, over what it is, 0: as it is */
  int refused_f; /* f refuses every point */
  int ends;      /* f from t = 0.41 on: 1 refuses, 2 is not a number */
} claims;

static int pair(double t, const double *y, double *f, const brink_env *e)
{
  const claims *c = e->user;

  if (c->refused_f || (c->ends == 1 && t > 0.41))
    return 1;
  f[0] = -831.7 * (y[0] - cos(2.3 * t)) + 0.7 * y[1];
  f[1] = c->ends == 2 && t > 0.41 ? nan("") : y[0] - 3.7 * y[1] * y[1] * y[1];
  return 0;
}

static int jacobian(double t, const double *y, double *entry, const brink_env *e)
{
  const claims *c = e->user;

  entry[0] = c->first != 0 ? c->first : -831.7;
  entry[1] = 1;
  entry[2] = 0.7;
  entry[3] = -11.1 * y[1] * y[1];
  for (int k = 0; t > 0.41 && c->late != 0 && k < 4; k++)
    entry[k] = c->late;
  if (t > 0.41 && c->grown != 0)
    entry[0] *= c->grown;
  return 0;
}

/* The run to t = 3 ends with an error before it, and says so. */
static brink_err run_mode(const char *method, brink_mode_def mode, claims *c,
                          double y0[2])
{
  brink_model_def def = {.modes = &mode, .n_modes = 1, .user = c};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.max_steps = 100000;
  rig r = rig_new(&def, &opt, 0.13, 0, y0);
  brink_status rc = brink_sim_run(r.sim, 3.1);
  brink_err err = *brink_sim_error(r.sim);
  if (rc >= 0)
    fail_msg("%s: the run went on, status %d", method, (int)rc);
  assert_int_equal(err.status, rc);
  rig_free(&r);
  return err;
}

static brink_err run_pair(const char *method, claims c, brink_pattern pattern,
                          brink_jacobian_fn *df)
{
  brink_mode_def mode = {
      .name = "pair", .n = 2, .rhs = pair, .jacobian = df, .pattern = pattern};

  return run_mode(method, mode, &c, (double[]){0.31, 1.7});
}

static const brink_pattern full = {4, (int[]){0, 1, 0, 1}, (int[]){0, 0, 1, 1}};

static void a_jacobian_that_is_not_a_number(void **state)
{
  (void)state;
  EACH_STIFF(method)
  for (int with = 0; with < 2; with++) {
    brink_err e = run_pair(method, (claims){.first = nan("")},
                           with ? full : (brink_pattern){0}, jacobian);
    check_status(e.status, BRINK_ENAN);
    check_text(e.text, "df[0]/dy[0]");
    check_text(e.text, "nan");
  }
}

static void a_jacobian_that_is_not_a_number_later(void **state)
{
  (void)state;
  EACH_STIFF(method)
  for (int with = 0; with < 2; with++) {
    brink_err e = run_pair(method, (claims){.late = nan("")},
                           with ? full : (brink_pattern){0}, jacobian);
    check_status(e.status, BRINK_ENAN);
    check_text(e.text, "df[0]/dy[0]");
    check_text(e.text, "nan");
  }
}

static void an_entry_that_differences_contradict(void **state)
{
  (void)state;
  EACH_STIFF(method)
  {
    brink_err e = run_pair(method, (claims){.first = -8.317}, full, jacobian);
    check_status(e.status, BRINK_EUSER);
    check_text(e.text, "df[0]/dy[0]");
    check_text(e.text, "-8.317");
  }
}

static void a_place_that_the_pattern_lacks(void **state)
{
  brink_pattern lacks = {3, (int[]){0, 0, 1}, (int[]){0, 1, 1}};

  (void)state;
  EACH_STIFF(method)
  {
    brink_err e = run_pair(method, (claims){0}, lacks, NULL);
    check_status(e.status, BRINK_EUSER);
    check_text(e.text, "no place for df[1]/dy[0]");
  }
}

/* Wrong from t = 0.41 on: much too large an entry makes increments vanish, and anything
 * pass for solved; one a little too large, or too small, slows the iteration down. */
static void an_entry_that_becomes_wrong(void **state)
{
  const double grown[] = {1e40, 1e12, 1e6, 30, 0.03, -1, 1e-6};

  (void)state;
  EACH_STIFF(method)
  for (size_t k = 0; k < sizeof grown / sizeof *grown; k++)
    for (int with = 0; with < 2; with++) {
      brink_err e = run_pair(method, (claims){.grown = grown[k]},
                             with ? full : (brink_pattern){0}, jacobian);
      check_status(e.status, BRINK_EUSER);
      check_text(e.text, "df[0]/dy[0]");
      check_text(e.text, "differences of f say -831.7");
    }
}

/* Slopes that are all the same, and so large that the shift by 1/h is lost in them: no
 * step is short enough. */
static int steep(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = f[1] = cos(2.3 * t) - 1e40 * (y[0] + y[1]);
  return 0;
}

static int steep_slopes(double t, const double *y, double *entry, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  for (int k = 0; k < 4; k++)
    entry[k] = -1e40;
  return 0;
}

static void a_matrix_that_is_singular_at_every_step(void **state)
{
  (void)state;
  EACH_STIFF(method)
  for (int with = 0; with < 2; with++) {
    brink_mode_def mode = {
        .name = "steep", .n = 2, .rhs = steep, .jacobian = steep_slopes};
    claims none = {0};
    if (with)
      mode.pattern = full;
    brink_err e = run_mode(method, mode, &none, (double[]){0.31, -0.31});
    check_status(e.status, BRINK_ESTEP);
    if (strcmp(method, "auto") != 0) /* which never comes to its stiff method */
      check_text(e.text, "singular");
  }
}

/* ------------------------------------------------------- points refused ---- */

static void f_that_refuses_every_point(void **state)
{
  (void)state;
  EACH_STIFF(method)
  {
    brink_err e = run_pair(method, (claims){.refused_f = 1}, (brink_pattern){0}, NULL);
    check_status(e.status, BRINK_EDOMAIN);
    check_text(e.text, "0.13");
  }
}

static void f_that_ends_on_the_way(void **state)
{
  (void)state;
  EACH_STIFF(method)
  for (int how = 1; how <= 2; how++) {
    brink_err e = run_pair(method, (claims){.ends = how}, (brink_pattern){0}, NULL);
    check_status(e.status, how == 1 ? BRINK_EDOMAIN : BRINK_ENAN);
    check_text(e.text, "t = 0.41");
    check_text(e.text, how == 1 ? "does not exist" : "f[1] is");
  }
}

/* The solution turns a corner at t = 0.5 that lies outside of the strip in which the
 * model exists: from there on every iteration leaves it. */
static int corner(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -1e6 * (y[0] - (t < 0.5 ? 0.2 : 0.2 + 3e3 * (t - 0.5)));
  return 0;
}

static double edge(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] - 0.200001;
}

static void a_guard_that_every_iteration_leaves(void **state)
{
  brink_guard_def guard = {.name = "edge", .fn = edge};
  brink_event_def event = {
      .name = "edge", .guard = 0, .dir = BRINK_UP, .side = BRINK_BEFORE, .terminal = 1};
  brink_mode_def mode = {.name = "strip",
                         .n = 1,
                         .rhs = corner,
                         .guards = &guard,
                         .n_guards = 1,
                         .events = &event,
                         .n_events = 1};
  brink_model_def def = {.modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double y0 = 0.17;

  (void)state;
  EACH_STIFF(method)
  {
    opt.method = method;
    opt.max_steps = 100000;
    rig r = rig_new(&def, &opt, 0.11, 0, &y0);
    brink_status rc = brink_sim_run(r.sim, 2);
    /* x = 0.2 + 3e3 (s - (1 - exp(-1e6 s))/1e6) reaches the edge at s = 0.7737e-6 / ...
     */
    check_near(brink_sim_time(r.sim), 0.5, 1e-5);
    if (rc != BRINK_TERMINATED)
      assert_true(rc < 0 && *brink_sim_error(r.sim)->text);
    assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
    assert_true(brink_sim_state(r.sim)[0] <= 0.200001);
    rig_free(&r);
  }
}

/* A start on the edge, led outward, at t = 0, where steps have no smallest size: no
 * attempt is there, and what a matrix with 1/h says in the end is no reason. */
static int outward(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = -1.7;
  return 0;
}

static double bottom(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return -y[0];
}

static void a_start_on_the_edge_is_the_event(void **state)
{
  brink_guard_def guard = {.name = "bottom", .fn = bottom};
  brink_event_def event = {.name = "bottom",
                           .guard = 0,
                           .dir = BRINK_UP,
                           .side = BRINK_BEFORE,
                           .terminal = 1};
  brink_mode_def mode = {.name = "above",
                         .n = 1,
                         .rhs = outward,
                         .guards = &guard,
                         .n_guards = 1,
                         .events = &event,
                         .n_events = 1};
  brink_model_def def = {.modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double y0 = 0;

  (void)state;
  EACH_STIFF(method)
  {
    opt.method = method;
    rig r = rig_new(&def, &opt, 0, 0, &y0);
    check_status(brink_sim_run(r.sim, 2), BRINK_TERMINATED);
    assert_true(brink_sim_time(r.sim) == 0);
    rig_free(&r);
  }
}

/* -------------------------------------------------------------- memory ---- */

static int zero(double t, const double *y, double *f, void *user)
{
  (void)t, (void)y, (void)user;
  *f = 0;
  return 0;
}

/* A machine with little memory: malloc itself is not asked for more than there is
 * anywhere, which sanitizers take for a fault. */
static void *little(void *user, void *p, size_t was, size_t wanted)
{
  (void)user, (void)was;
  if (wanted > (size_t)1 << 30)
    return NULL;
  if (wanted == 0) {
    free(p);
    return NULL;
  }
  return realloc(p, wanted);
}

static void a_matrix_that_no_memory_holds(void **state)
{
  const brink_alloc alloc = {little, NULL};
  (void)state;
  EACH_STIFF(method)
  {
    brink_integrator_opts opt = brink_integrator_defaults();
    brink_ivp ivp = {(size_t)1 << 42, zero, NULL};
    brink_integrator *it = NULL;
    brink_ctx *ctx;
    opt.method = method;
    check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
    check_status(brink_integrator_new(ctx, &ivp, &opt, &it), BRINK_ENOMEM);
    check_text(brink_ctx_error(ctx)->text, "out of memory");
    assert_null(it);
    brink_ctx_free(ctx);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jacobian_that_is_not_a_number),
      cmocka_unit_test(a_jacobian_that_is_not_a_number_later),
      cmocka_unit_test(an_entry_that_differences_contradict),
      cmocka_unit_test(an_entry_that_becomes_wrong),
      cmocka_unit_test(a_place_that_the_pattern_lacks),
      cmocka_unit_test(a_matrix_that_is_singular_at_every_step),
      cmocka_unit_test(f_that_refuses_every_point),
      cmocka_unit_test(f_that_ends_on_the_way),
      cmocka_unit_test(a_guard_that_every_iteration_leaves),
      cmocka_unit_test(a_start_on_the_edge_is_the_event),
      cmocka_unit_test(a_matrix_that_no_memory_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
