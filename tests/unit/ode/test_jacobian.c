/* ode/jacobian.h: differences by groups of columns, inward at guards; what a user says
 * about df/dy, sorted and checked. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrid/sim.h"
#include "ode/jacobian.h"

enum { N = 40 };

static const brink__tol tol = {.rtol = 1e-6, .atol = 1e-9};

/* The matrix at the state of the simulation, with all zeros, by columns. */
typedef struct answer {
  brink_status rc;
  brink__gate gate;
  brink_err err;
  size_t groups;
  double a[N * N];
} answer;

static answer *ask(const brink_flow *flow, double t, const double *y)
{
  answer *out = calloc(1, sizeof *out);
  brink__jacobian *j = calloc(1, brink__jacobian_size(flow));
  size_t nnz = brink__jacobian_nnz(flow);
  double *entry = calloc(nnz, sizeof *entry), F[N];

  out->gate.flow = flow;
  brink__jacobian_open(j, flow);
  assert_int_equal(brink__residual(&out->gate, t, y, F), BRINK_OK);
  out->rc = brink__jacobian_at(j, &out->gate, &tol, t, y, F, entry);
  if (out->rc < 0)
    brink__gate_explain(&out->gate, &out->err);
  out->groups = brink__jacobian_groups(j, flow);
  for (size_t k = 0; k < nnz; k++)
    out->a[flow->pattern
               ? (size_t)flow->pattern->col[k] * flow->n + (size_t)flow->pattern->row[k]
               : k] = entry[k];
  free(entry);
  free(j);
  return out;
}

/* ------------------------------------------------------------ a chain ---- */

/* x_i' = x_{i-1} - 3 x_i + x_{i+1}^2, and x_0' has sin(t) x_0 more */
static int chain(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  for (int i = 0; i < N; i++)
    f[i] = (i > 0 ? y[i - 1] : 0) - 3 * y[i] + (i < N - 1 ? y[i + 1] * y[i + 1] : 0);
  f[0] += sin(t) * y[0];
  return 0;
}

static double chain_slope(size_t i, size_t j, double t, const double *y)
{
  return i == j + 1 ? 1 : j == i + 1 ? 2 * y[j] : i == j ? (i ? -3 : -3 + sin(t)) : 0;
}

/* Its places, in an order of no kind. */
typedef struct places {
  int row[3 * N], col[3 * N];
  size_t n;
} places;

static places chain_places(void)
{
  places p = {.n = 0};

  for (int d = 1; d >= -1; d--)
    for (int k = 0; k < N; k++) {
      int i = 7 * k % N, j = i + d;
      if (j < 0 || j >= N)
        continue;
      p.row[p.n] = i;
      p.col[p.n++] = j;
    }
  return p;
}

static places pattern; /* of the models below */
static double wrong;   /* is added to entry `spoiled` */
static size_t spoiled;

static int chain_jacobian(double t, const double *y, double *entry, const brink_env *e)
{
  (void)e;
  for (size_t k = 0; k < pattern.n; k++)
    entry[k] = chain_slope((size_t)pattern.row[k], (size_t)pattern.col[k], t, y);
  entry[spoiled] += wrong;
  return 0;
}

static int dense_jacobian(double t, const double *y, double *entry, const brink_env *e)
{
  (void)e;
  for (size_t j = 0; j < N; j++)
    for (size_t i = 0; i < N; i++)
      entry[j * N + i] = chain_slope(i, j, t, y);
  return 0;
}

static void start_values(double *y)
{
  for (int i = 0; i < N; i++)
    y[i] = 0.3 + 0.02 * i;
}

static rig chain_rig(brink_jacobian_fn *jacobian, int with_pattern)
{
  brink_mode_def mode = {.name = "chain", .n = N, .rhs = chain, .jacobian = jacobian};
  double y[N];

  if (with_pattern)
    mode.pattern = (brink_pattern){pattern.n, pattern.row, pattern.col};
  start_values(y);
  return rig_new(&(brink_model_def){.modes = &mode, .n_modes = 1}, NULL, 0.7, 0, y);
}

/* What comes out for the chain; says: a part of the sentence if it must fail. */
static void check_chain(brink_jacobian_fn *jacobian, int with_pattern, double accuracy,
                        long evals, const char *says)
{
  rig r = chain_rig(jacobian, with_pattern);
  double y[N];

  start_values(y);
  answer *got = ask(&r.sim->regime->flow, 0.7, y);
  if (says) {
    check_status(got->rc, BRINK_EUSER);
    check_text(got->err.text, says);
  } else {
    if (got->rc < 0)
      fail_msg("%s", got->err.text);
    for (size_t j = 0; j < N; j++)
      for (size_t i = 0; i < N; i++)
        check_near(got->a[j * N + i], chain_slope(i, j, 0.7, y), accuracy);
    assert_int_equal(got->gate.f_evals, evals);
    assert_int_equal(got->gate.jacobians, 1);
  }
  free(got);
  rig_free(&r);
}

static void differences(void **state)
{
  (void)state;
  wrong = 0;
  pattern = chain_places();
  check_chain(NULL, 0, 1e-6, 1 + N, NULL);
  check_chain(NULL, 1, 1e-6, 1 + 3 + 2, NULL); /* three groups, and the check */
}

static void callbacks(void **state)
{
  (void)state;
  wrong = 0;
  pattern = chain_places();
  check_chain(chain_jacobian, 1, 0, 1 + 2, NULL);
  check_chain(dense_jacobian, 0, 0, 1 + 2, NULL);
}

static void wrong_entries(void **state)
{
  (void)state;
  pattern = chain_places();
  for (spoiled = 0; spoiled < pattern.n; spoiled++) {
    char name[64];
    wrong = spoiled % 2 ? 0.01 : -7;
    snprintf(name, sizeof name, "df[%d]/dy[%d] (y%d by y%d) = ", pattern.row[spoiled],
             pattern.col[spoiled], pattern.row[spoiled] + 1, pattern.col[spoiled] + 1);
    check_chain(chain_jacobian, 1, 0, 0, name);
  }
  spoiled = 5;
  wrong = nan("");
  rig r = chain_rig(chain_jacobian, 1);
  double y[N];
  start_values(y);
  answer *got = ask(&r.sim->regime->flow, 0.7, y);
  check_status(got->err.status, BRINK_ENAN);
  check_text(got->err.text, "= nan at t = 0.7");
  free(got);
  rig_free(&r);
  spoiled = 0;
  wrong = 0;
}

/* A place that is missing in the pattern, with a Jacobian and without. */
static void wrong_patterns(void **state)
{
  (void)state;
  for (size_t k = 0; k < chain_places().n; k++) {
    char name[64];
    pattern = chain_places();
    int i = pattern.row[k], j = pattern.col[k];
    if (i == j) /* these are added */
      continue;
    pattern.n--;
    pattern.row[k] = pattern.row[pattern.n];
    pattern.col[k] = pattern.col[pattern.n];
    snprintf(name, sizeof name, "no place for df[%d]/dy[%d]", i, j);
    check_chain(chain_jacobian, 1, 0, 0, name);
    check_chain(NULL, 1, 0, 0, name);
  }
}

static void refuse(brink_pattern p, const char *says)
{
  brink_ctx *ctx;
  brink_model *model;
  brink_mode_def mode = {.name = "m", .n = 2, .rhs = chain, .pattern = p};

  assert_int_equal(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(
      brink_model_new(ctx, &(brink_model_def){.modes = &mode, .n_modes = 1}, &model),
      BRINK_EARG);
  assert_null(model);
  check_text(brink_ctx_error(ctx)->text, says);
  brink_ctx_free(ctx);
}

static void refused_patterns(void **state)
{
  (void)state;
  refuse((brink_pattern){3, (int[]){0, 1, 2}, (int[]){0, 0, 1}},
         "place 2 of the pattern of mode 'm' is row 2, column 1; they must be from 0 "
         "to 1");
  refuse((brink_pattern){1, (int[]){0}, (int[]){-1}}, "place 0");
  refuse((brink_pattern){1, NULL, (int[]){0}}, "counts 1 places that are not there");
  refuse((brink_pattern){3, (int[]){1, 0, 1}, (int[]){0, 0, 0}},
         "has a place in column 0 twice");
}

/* Each allocation of a model with a pattern fails once. */
static void out_of_memory(void **state)
{
  brink_mode_def mode = {
      .name = "chain", .n = N, .rhs = chain, .jacobian = chain_jacobian};
  flaky f = {.live = 0};

  (void)state;
  pattern = chain_places();
  mode.pattern = (brink_pattern){pattern.n, pattern.row, pattern.col};
  for (long at = 1; f.calls >= at - 1; at++) {
    f = (flaky){.fail_at = at};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink_model *model = NULL;
    brink_status rc = brink_ctx_new(&alloc, &ctx);
    if (rc >= 0) {
      rc = brink_model_new(ctx, &(brink_model_def){.modes = &mode, .n_modes = 1},
                           &model);
      brink_model_free(model);
      brink_ctx_free(ctx);
    }
    assert_int_equal(f.live, 0);
    check_status(rc, f.calls >= at ? BRINK_ENOMEM : BRINK_OK);
    if (rc == BRINK_OK)
      return;
  }
}

/* ------------------------------------------------------------- guards ---- */

/* f exists for 0 <= x <= 1 and y >= 0 only, and counts calls elsewhere. */
static int corner(double t, const double *y, double *f, const brink_env *e)
{
  long *outside = e->user;

  (void)t;
  *outside += y[0] < 0 || y[0] > 1 || y[1] < 0;
  f[0] = sqrt(fabs(y[0] * (1 - y[0]))) + y[1] * y[0];
  f[1] = y[0] * y[1] + 3 * y[1] + y[2];
  f[2] = -y[2] * y[0];
  return 0;
}

static void inward(void **state)
{
  (void)state;
  brink_guard_def guards[] = {{.name = "low", .state = 0},
                              {.name = "high", .state = 0, .level = 1},
                              {.name = "y", .state = 1}};
  brink_event_def events[] = {{.name = "low",
                               .guard = 0,
                               .dir = BRINK_DOWN,
                               .side = BRINK_BEFORE,
                               .terminal = 1},
                              {.name = "high",
                               .guard = 1,
                               .dir = BRINK_UP,
                               .side = BRINK_BEFORE,
                               .terminal = 1},
                              {.name = "y",
                               .guard = 2,
                               .dir = BRINK_DOWN,
                               .side = BRINK_BEFORE,
                               .terminal = 1}};
  long outside = 0;
  brink_mode_def mode = {.name = "corner",
                         .n = 3,
                         .rhs = corner,
                         .guards = guards,
                         .n_guards = 3,
                         .events = events,
                         .n_events = 3};
  brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &outside};
  rig r = rig_new(&def, NULL, 0, 0, (double[]){0.5, 0.5, 0.5});
  brink_flow flow = r.sim->regime->flow;
  double y[][3] = {{1, 0, 0.5}, {1, 0.25, 0.5}, {0.25, 0, 0.5}, {0.25, 1e-12, 0.5}};

  for (size_t k = 0; k < 4; k++) {
    answer *got = ask(&flow, 0, y[k]);
    if (got->rc < 0)
      fail_msg("%s", got->err.text);
    check_near(got->a[1], y[k][1], 1e-4);     /* df1/dy0 */
    check_near(got->a[3], y[k][0], 1e-4);     /* df0/dy1 */
    check_near(got->a[4], y[k][0] + 3, 1e-4); /* df1/dy1 */
    check_near(got->a[7], 1, 1e-4);           /* df1/dy2 */
    check_near(got->a[8], -y[k][0], 1e-4);    /* df2/dy2 */
    check_near(got->a[2], -y[k][2], 1e-4);    /* df2/dy0 */
    free(got);
  }
  assert_int_equal(outside, 0);
  rig_free(&r);
}

/* The same where columns that share no row are moved together, one out, one in. */
static int boxes(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  for (int i = 0; i < 4; i++) {
    *(long *)e->user += y[i] < 0 || y[i] > 1;
    f[i] = (i + 1) * y[i] * (2 - y[i]);
  }
  return 0;
}

static double out_of_box(double t, const double *y, int guard, const brink_env *e)
{
  double most = -1;

  (void)t, (void)guard, (void)e;
  for (int i = 0; i < 4; i++)
    most = fmax(most, fmax(-y[i], y[i] - 1));
  return most;
}

static void inward_in_groups(void **state)
{
  (void)state;
  brink_guard_def guard = {.name = "box", .fn = out_of_box};
  brink_event_def event = {
      .name = "box", .dir = BRINK_UP, .side = BRINK_BEFORE, .terminal = 1};
  const int place[] = {0, 1, 2, 3};
  long outside = 0;
  brink_mode_def mode = {.name = "boxes",
                         .n = 4,
                         .rhs = boxes,
                         .guards = &guard,
                         .n_guards = 1,
                         .events = &event,
                         .n_events = 1,
                         .pattern = {4, place, place}};
  brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &outside};
  rig r = rig_new(&def, NULL, 0, 0, (double[]){0.5, 0.5, 0.5, 0.5});
  double y[] = {1, 0, 0.5, 1};
  answer *got = ask(&r.sim->regime->flow, 0, y);

  assert_int_equal(got->groups, 1);
  for (int i = 0; i < 4; i++)
    check_near(got->a[5 * i], (i + 1) * (2 - 2 * y[i]), 1e-4);
  assert_int_equal(outside, 0);
  free(got);
  rig_free(&r);
}

/* ------------------------------------------------------- random patterns -- */

typedef struct sparse {
  int row[300], col[300];
  double value[300];
  size_t n;
} sparse;

static int times(double t, const double *y, double *f, const brink_env *e)
{
  const sparse *a = e->user;

  (void)t;
  memset(f, 0, N * sizeof *f);
  for (size_t k = 0; k < a->n; k++)
    f[a->row[k]] += a->value[k] * y[a->col[k]];
  return 0;
}

static void random_patterns(void **state)
{
  (void)state;
  uint64_t seed = 20;

  for (int run = 0; run < 50; run++) {
    sparse a = {.n = 0};
    unsigned char there[N * N] = {0};
    size_t want = rand_u64(&seed) % 300, most = 0, in_row[N] = {0};
    for (size_t k = 0; k < want; k++) {
      int i = (int)(rand_u64(&seed) % N), j = (int)(rand_u64(&seed) % N);
      if (there[j * N + i])
        continue;
      there[j * N + i] = 1;
      in_row[i]++;
      a.row[a.n] = i;
      a.col[a.n] = j;
      a.value[a.n++] = rand_in(&seed, -3, 3);
    }
    for (int i = 0; i < N; i++) {
      in_row[i] += !there[i * N + i]; /* the diagonal is added, but for no pattern */
      most = in_row[i] > most ? in_row[i] : most;
    }
    brink_mode_def mode = {
        .name = "times", .n = N, .rhs = times, .pattern = {a.n, a.row, a.col}};
    brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &a};
    double y[N];
    for (int i = 0; i < N; i++)
      y[i] = rand_in(&seed, -2, 2);
    rig r = rig_new(&def, NULL, 0, 0, y);
    answer *got = ask(&r.sim->regime->flow, 0, y);
    if (a.n)
      check_in((double)got->groups, (double)most, 4.0 * (double)most);
    for (size_t k = 0; k < a.n; k++) {
      double *entry = &got->a[a.col[k] * N + a.row[k]];
      check_near(*entry, a.value[k], 1e-4);
      *entry = 0;
    }
    for (size_t k = 0; k < N * N; k++)
      check_near(got->a[k], 0, 1e-4);
    free(got);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences),      cmocka_unit_test(callbacks),
      cmocka_unit_test(wrong_entries),    cmocka_unit_test(wrong_patterns),
      cmocka_unit_test(refused_patterns), cmocka_unit_test(inward),
      cmocka_unit_test(inward_in_groups), cmocka_unit_test(out_of_memory),
      cmocka_unit_test(random_patterns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
