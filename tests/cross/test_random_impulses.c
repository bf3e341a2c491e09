/* Random linear mechanisms with constraints that change in one instant, of index 2 (in
 * velocities) and 3 (in positions), with every method: what the velocities are after
 * it, against
 *
 *   v+ = v - M^-1 G (C M^-1 G)^-1 (C v - Q),
 *
 * computed here with dense matrices in long double.  M is not symmetric, G is not C'.
 * The equations of some are shuffled, some have velocities as variables of their own,
 * some a velocity that reinit sets.
 *
 * The environment variable BRINK_IMPULSES is the number of systems. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

enum { DEFAULT_COUNT = 240, BODIES = 7, ROWS = BODIES + BODIES };

typedef struct mechanism {
  int n, p;  /* bodies, constraints                                              */
  int index; /* 2 or 3                                                           */
  int named; /* index 3: der(x) = v, der(v) in place of der(der(x))              */
  int held;  /* body whose velocity reinit sets, -1: none                        */
  double to; /* ... to this                                                      */
  double mass[BODIES][BODIES], force[BODIES][BODIES], row[BODIES][BODIES];
  double q[BODIES]; /* right-hand sides of the constraints, or their slopes, after   */
  char text[20000];
  size_t used;
} mechanism;

static unsigned long long seed;

static double draw(void)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

static int choose(int n) { return (int)fmin(n - 1, floor((draw() + 1) / 2 * n)); }

static void put(mechanism *m, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  m->used += (size_t)vsnprintf(m->text + m->used, sizeof m->text - m->used, fmt, args);
  va_end(args);
  assert_true(m->used < sizeof m->text);
}

/* ------------------------------------------------------------- the model --- */

static void numbers(mechanism *m)
{
  m->n = 2 + choose(BODIES - 2);
  m->p = 1 + choose(m->n - 1);
  m->index = 2 + choose(2);
  m->named = choose(2);
  m->held = m->p < m->n - 1 && choose(3) == 0 ? choose(m->n) : -1;
  m->to = draw();
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) {
      m->mass[i][j] = i == j ? 1.5 + draw() : 0.5 * draw() / m->n;
      m->force[i][j] = draw();
      m->row[i][j] = draw();
    }
  for (int k = 0; k < m->p; k++)
    m->q[k] = draw();
}

static void acceleration(mechanism *m, int j)
{
  put(m, m->index == 2 ? "der(v%d)" : m->named ? "der(v%d)" : "der(der(x%d))", j);
}

static void equation(mechanism *m, int i)
{
  if (i < m->n) {
    for (int j = 0; j < m->n; j++) {
      put(m, "%s(%.17g)*", j ? " + " : "  ", m->mass[i][j]);
      acceleration(m, j);
    }
    put(m, " = cos(time + %d)", i);
    for (int k = 0; k < m->p; k++)
      put(m, " + (%.17g)*l%d", m->force[i][k], k);
  } else {
    int k = i - m->n;
    for (int j = 0; j < m->n; j++)
      put(m, "%s(%.17g)*%s%d", j ? " + " : "  ", m->row[k][j],
          m->index == 2 ? "v" : "x", j);
    put(m, m->index == 2 ? " = q%d" : " = q%d*(time - 0.4)", k);
  }
  put(m, ";\n");
}

static void write_text(mechanism *m)
{
  int order[ROWS], n = m->n + m->p;

  put(m, "model M\n");
  for (int j = 0; j < m->n; j++) {
    if (m->index == 3)
      put(m, "  Real x%d;\n", j);
    if (m->index == 3 && !m->named)
      put(m, "  Real v%d = der(x%d);\n", j, j);
    else
      put(m, "  Real v%d(start = %.3g);\n", j, draw());
  }
  for (int k = 0; k < m->p; k++)
    put(m, "  Real l%d; discrete Real q%d(start = 0, fixed = true);\n", k, k);
  put(m, "equation\n");
  for (int j = 0; j < m->n && m->index == 3 && m->named; j++)
    put(m, "  der(x%d) = v%d;\n", j, j);
  for (int i = 0; i < n; i++)
    order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int k = choose(i + 1), other = order[i];
    order[i] = order[k], order[k] = other;
  }
  for (int i = 0; i < n; i++)
    equation(m, order[i]);
  put(m, "  when time > 0.4 then\n");
  for (int k = 0; k < m->p; k++)
    put(m, "    q%d = %.17g;\n", k, m->q[k]);
  if (m->held >= 0)
    put(m, "    reinit(v%d, %.17g);\n", m->held, m->to);
  put(m, "  end when;\nend M;\n");
}

static mechanism *make(int number)
{
  mechanism *m = calloc(1, sizeof *m);

  assert_non_null(m);
  seed = 77 + 1000003ull * (unsigned long long)number;
  for (int i = 0; i < 10; i++)
    draw();
  numbers(m);
  if (m->index == 3 && !m->named)
    m->held = -1; /* its velocities are no variables that reinit can set */
  write_text(m);
  return m;
}

/* ------------------------------------------------------- the closed form --- */

/* Gauss with row pivots; 0: nearly singular. */
static int solve(int n, long double a[ROWS][ROWS + 1])
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
    if (fabsl(a[best][k]) < 0.02L)
      return 0;
    for (int j = 0; j <= n; j++) {
      long double other = a[k][j];
      a[k][j] = a[best][j], a[best][j] = other;
    }
    for (int i = 0; i < n; i++) {
      long double f = i == k ? 0 : a[i][k] / a[k][k];
      for (int j = k; j <= n; j++)
        a[i][j] -= f * a[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    a[i][n] /= a[i][i];
  return 1;
}

/* Jumps z and impulses L: M z = G L, C (v + z) = Q; the velocity that is held has its
 * new value in v, and its row is left out. */
static int closed_form(const mechanism *m, const double *v, double *after)
{
  long double a[ROWS][ROWS + 1] = {{0}};

  for (int i = 0; i < m->n; i++) {
    for (int j = 0; j < m->n; j++)
      a[i][j] = i == m->held ? (long double)(j == i) : (long double)m->mass[i][j];
    for (int k = 0; k < m->p && i != m->held; k++)
      a[i][m->n + k] = -(long double)m->force[i][k];
  }
  for (int k = 0; k < m->p; k++) {
    a[m->n + k][m->n + m->p] = (long double)m->q[k];
    for (int j = 0; j < m->n; j++) {
      a[m->n + k][j] = (long double)m->row[k][j];
      a[m->n + k][m->n + m->p] -= (long double)m->row[k][j] * (long double)v[j];
    }
  }
  if (!solve(m->n + m->p, a))
    return 0;
  for (int j = 0; j < m->n; j++)
    after[j] = (double)((long double)v[j] + a[j][m->n + m->p]);
  return 1;
}

/* ------------------------------------------------------------------ runs --- */

static double get(brink_sim *sim, const char *what, int j)
{
  char name[32];
  double x = nan("");

  snprintf(name, sizeof name, what, j);
  check_status(brink_sim_get(sim, name, &x), BRINK_OK);
  return x;
}

/* The left limits of velocities, in the record of the event. */
static void left_limits(const mechanism *m, const brink_model *model, brink_sim *sim,
                        double *v)
{
  brink_event e = brink_trace_event(brink_sim_trace(sim), 0);
  char name[32];

  for (int j = 0; j < m->n; j++) {
    v[j] = nan("");
    snprintf(name, sizeof name, m->index == 3 && !m->named ? "der(x%d)" : "v%d", j);
    for (size_t k = 0; k < e.n_before; k++)
      if (strcmp(brink_model_state_name(model, 0, k), name) == 0)
        v[j] = e.y_before[k];
  }
  if (m->held >= 0)
    v[m->held] = m->to;
}

static void compare(const mechanism *m, const brink_model *model, brink_sim *sim)
{
  double v[BODIES], after[BODIES], size = 1;

  left_limits(m, model, sim, v);
  assert_true(closed_form(m, v, after));
  for (int j = 0; j < m->n; j++)
    size = fmax(size, fabs(after[j]));
  for (int j = 0; j < m->n; j++)
    if (!(fabs(get(sim, "v%d", j) - after[j]) <= 1e-11 * size))
      fail_msg("%sv%d = %.17g, want %.17g", m->text, j, get(sim, "v%d", j), after[j]);
  if (m->held >= 0)
    check_near(get(sim, "v%d", m->held), m->to, 0);
  assert_int_equal(brink_sim_statistics(sim).impulses, 1);
}

/* 1: run; 0: too near a singular system. */
static int one(int number)
{
  static const double any[BODIES] = {0};
  double after[BODIES];
  mechanism *m = make(number);
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  int n_methods = 0, good = closed_form(m, any, after);

  while (brink_method_name(n_methods))
    n_methods++;
  if (m->held >= 0) { /* the constraints alone, and without what is held */
    mechanism free_one = *m;
    free_one.held = -1;
    good &= closed_form(&free_one, any, after);
  }
  if (!good) {
    free(m);
    return 0;
  }
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "m.mo", m->text, strlen(m->text), NULL, &model) < 0)
    fail_msg("%s%s", m->text, brink_ctx_error(ctx)->text);
  opt.method = brink_method_name(number % n_methods);
  opt.rtol = 1e-8;
  if (strcmp(opt.method, "rk4") == 0)
    opt.h0 = 1e-2;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  if (brink_sim_start(sim, 0, 0, NULL) < 0)
    fail_msg("%s%s", m->text, brink_sim_error(sim)->text);
  brink_status rc;
  while ((rc = brink_sim_advance(sim, 1)) == BRINK_OK)
    continue;
  if (rc != BRINK_EVENT)
    fail_msg("%s%s", m->text, brink_sim_error(sim)->text);
  compare(m, model, sim);
  check_status(brink_sim_run(sim, 0.6), BRINK_END);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  free(m);
  return 1;
}

static void random_mechanisms_jump_by_the_closed_form(void **state)
{
  int count = (int)random_cases("BRINK_IMPULSES", DEFAULT_COUNT), run = 0;

  (void)state;
  for (int i = 0; i < count; i++)
    run += one(i);
  print_message("%d of %d systems run, the others nearly singular\n", run, count);
  assert_true(run > count / 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_mechanisms_jump_by_the_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
