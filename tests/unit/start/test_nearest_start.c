/* The start nearest to the start values: random conditions, and bodies on ellipses,
 * with start values, fixed values and values without either, and nominal values.
 *
 * What is found must meet the conditions and be a stationary point of
 *
 *   D = sum ((x_j - start_j)/nominal_j)^2    over the x_j with a start value,
 *
 * as this file evaluates both; and no farther than the point that Newton's method for
 * the equations of Lagrange finds from the start values, with exact second
 * derivatives.  BRINK_NEAREST_STARTS is the number of random problems.
 */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

enum { DEFAULT_COUNT = 400, UNKNOWNS = 6, ROWS = 4, SIZE = UNKNOWNS + ROWS };

/* ------------------------------------------------------------- linear algebra --- */

/* Solve a x = b by elimination with pivoting; 0: singular. */
static int solve(int n, double a[SIZE][SIZE], double *b)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
    if (fabs(a[best][k]) < 1e-13)
      return 0;
    for (int j = 0; j < n; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    double t = b[k];
    b[k] = b[best];
    b[best] = t;
    for (int i = k + 1; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < n; j++)
        a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n; k-- > 0;) {
    for (int j = k + 1; j < n; j++)
      b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return 1;
}

/* ------------------------------------------------------------------- problems --- */

typedef enum role { GUESS, FIXED, FREE } role;

/* sum_j a_j x_j + b_j x_j^2 + c_j x_j x_(j+1) = r */
typedef struct row {
  double a[UNKNOWNS], b[UNKNOWNS], c[UNKNOWNS], r;
} row;

typedef struct problem {
  int n, m;
  role role[UNKNOWNS];
  double start[UNKNOWNS], nominal[UNKNOWNS];
  row rows[ROWS];
} problem;

static double value_of(const problem *p, const row *w, const double *x)
{
  double sum = -w->r;

  for (int j = 0; j < p->n; j++)
    sum += w->a[j] * x[j] + w->b[j] * x[j] * x[j] +
           (j + 1 < p->n ? w->c[j] * x[j] * x[j + 1] : 0);
  return sum;
}

static double slope_of(const problem *p, const row *w, const double *x, int j)
{
  double d = w->a[j] + 2 * w->b[j] * x[j];

  if (j + 1 < p->n)
    d += w->c[j] * x[j + 1];
  if (j > 0)
    d += w->c[j - 1] * x[j - 1];
  return d;
}

static double weight(const problem *p, int j)
{
  return p->role[j] == GUESS ? 1 / (p->nominal[j] * p->nominal[j]) : 0;
}

static double distance(const problem *p, const double *x)
{
  double sum = 0;

  for (int j = 0; j < p->n; j++)
    sum += weight(p, j) * (x[j] - p->start[j]) * (x[j] - p->start[j]);
  return sqrt(sum);
}

/* Random conditions that hold at a point some way from the start values. */
static problem random_problem(uint64_t *seed)
{
  problem p = {.n = 2 + (int)(rand_u64(seed) % (UNKNOWNS - 1))};
  double planted[UNKNOWNS];
  int movable = 0;

  for (int j = 0; j < p.n; j++) {
    double kind = rand_01(seed);
    p.role[j] = j == 0 || kind < 0.65 ? GUESS : kind < 0.8 ? FIXED : FREE;
    p.start[j] = p.role[j] == FREE ? 0 : rand_in(seed, -2, 2);
    p.nominal[j] = rand_01(seed) < 0.5 ? 1 : pow(10, rand_in(seed, -1, 1));
    planted[j] = p.start[j] + (p.role[j] == FIXED ? 0 : rand_in(seed, -0.35, 0.35));
    movable += p.role[j] != FIXED;
  }
  p.m = movable < 2 ? 0 : 1 + (int)(rand_u64(seed) % (uint64_t)(movable - 1));
  p.m = p.m > ROWS ? ROWS : p.m;
  for (int i = 0; i < p.m; i++) {
    row *w = &p.rows[i];
    for (int j = 0; j < p.n; j++) {
      w->a[j] = rand_in(seed, -1, 1);
      w->b[j] = rand_in(seed, -0.4, 0.4);
      w->c[j] = j + 1 < p.n ? rand_in(seed, -0.4, 0.4) : 0;
    }
    w->r = 0;
    w->r = value_of(&p, w, planted);
  }
  return p;
}

static void write_problem(const problem *p, char *text, size_t size)
{
  size_t n = (size_t)snprintf(text, size, "model M\n");

  for (int j = 0; j < p->n; j++) {
    n += (size_t)snprintf(text + n, size - n, "Real x%d(nominal = %.17g", j,
                          p->nominal[j]);
    if (p->role[j] != FREE)
      n += (size_t)snprintf(text + n, size - n, ", start = %.17g", p->start[j]);
    n += (size_t)snprintf(text + n, size - n, "%s);\n",
                          p->role[j] == FIXED ? ", fixed = true" : "");
  }
  n += (size_t)snprintf(text + n, size - n, "initial equation\n");
  for (int i = 0; i < p->m; i++) {
    for (int j = 0; j < p->n; j++) {
      const row *w = &p->rows[i];
      n += (size_t)snprintf(text + n, size - n, " + (%.17g)*x%d + (%.17g)*x%d^2",
                            w->a[j], j, w->b[j], j);
      if (j + 1 < p->n)
        n += (size_t)snprintf(text + n, size - n, " + (%.17g)*x%d*x%d", w->c[j], j,
                              j + 1);
    }
    n += (size_t)snprintf(text + n, size - n, " = %.17g;\n", p->rows[i].r);
  }
  n += (size_t)snprintf(text + n, size - n, "equation\n");
  for (int j = 0; j < p->n; j++)
    n += (size_t)snprintf(text + n, size - n, "der(x%d) = 0;\n", j);
  snprintf(text + n, size - n, "end M;\n");
}

/* -------------------------------------------------------------- brink's answer --- */

static int start_of(const char *text, int n, const char *const *name, double *x)
{
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model) < 0)
    fail_msg("%s\n%s", brink_ctx_error(ctx)->text, text);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  int found = brink_sim_start(sim, 0, 0, NULL) >= 0;
  for (int j = 0; j < n && found; j++) {
    double v = nan("");
    check_status(brink_sim_get(sim, name[j], &v), BRINK_OK);
    x[j] = v;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return found;
}

/* ------------------------------------------------------------------- Lagrange --- */

/* Newton's method for grad(D/2 - sum mu_i F_i) = 0, F = 0 from the start values. */
static int lagrange(const problem *p, double *x)
{
  double mu[ROWS] = {0}, a[SIZE][SIZE], b[SIZE];
  int n = p->n, size = n + p->m;

  for (int j = 0; j < n; j++)
    x[j] = p->start[j];
  for (int k = 0; k < 100; k++) {
    double most = 0;
    memset(a, 0, sizeof a);
    for (int j = 0; j < n; j++) {
      b[j] = -weight(p, j) * (x[j] - p->start[j]);
      a[j][j] = p->role[j] == FIXED ? 1 : weight(p, j);
    }
    for (int i = 0; i < p->m; i++) {
      const row *w = &p->rows[i];
      b[n + i] = -value_of(p, w, x);
      for (int j = 0; j < n; j++) {
        if (p->role[j] == FIXED)
          continue;
        a[j][n + i] = -slope_of(p, w, x, j);
        a[n + i][j] = slope_of(p, w, x, j);
        b[j] += mu[i] * slope_of(p, w, x, j);
        a[j][j] -= mu[i] * 2 * w->b[j];
        if (j + 1 < n && p->role[j + 1] != FIXED) {
          a[j][j + 1] -= mu[i] * w->c[j];
          a[j + 1][j] -= mu[i] * w->c[j];
        }
      }
    }
    if (!solve(size, a, b))
      return 0;
    for (int j = 0; j < n; j++) {
      x[j] += b[j];
      most = fmax(most, fabs(b[j]));
    }
    for (int i = 0; i < p->m; i++)
      mu[i] += b[n + i];
    if (most > 1e3)
      return 0;
    if (most < 1e-14)
      return 1;
  }
  return 0;
}

/* How far the gradient of D/2 is from the rows of J, relative to its own size. */
static double not_stationary(const problem *p, const double *x)
{
  double a[SIZE][SIZE] = {{0}}, mu[SIZE] = {0}, left = 0, size = 0;

  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++) {
      double s = p->role[j] == FIXED ? 0 : slope_of(p, &p->rows[i], x, j);
      mu[i] += s * weight(p, j) * (x[j] - p->start[j]);
      for (int k = 0; k < p->m; k++)
        a[i][k] += s * slope_of(p, &p->rows[k], x, j);
    }
  if (!solve(p->m, a, mu))
    return 0;
  for (int j = 0; j < p->n; j++) {
    double g = weight(p, j) * (x[j] - p->start[j]), sum = g;
    for (int i = 0; i < p->m && p->role[j] != FIXED; i++)
      sum -= mu[i] * slope_of(p, &p->rows[i], x, j);
    if (p->role[j] != FIXED)
      left = fmax(left, fabs(sum));
    size = fmax(size, fabs(g));
  }
  return size == 0 ? 0 : (left / size);
}

/* Is there an unknown without a start value?  Where those come to the end of what they
 * can do, steps may become too short before the minimum is reached. */
static int has_free(const problem *p)
{
  for (int j = 0; j < p->n; j++)
    if (p->role[j] == FREE)
      return 1;
  return 0;
}

static void random_conditions_have_the_nearest_start(void **state)
{
  static const char *const name[] = {"x0", "x1", "x2", "x3", "x4", "x5"};
  int count = (int)random_cases("BRINK_NEAREST_STARTS", DEFAULT_COUNT), compared = 0;
  int farther = 0, unsettled = 0;
  uint64_t seed = count > DEFAULT_COUNT ? (uint64_t)count : 4711;

  (void)state;
  for (int k = 0; k < count; k++) {
    problem p = random_problem(&seed);
    double x[UNKNOWNS], other[UNKNOWNS];
    char text[8000];
    write_problem(&p, text, sizeof text);
    if (p.m == 0)
      continue;
    if (!start_of(text, p.n, name, x))
      fail_msg("problem %d has no start:\n%s", k, text);
    for (int i = 0; i < p.m; i++)
      check_near(value_of(&p, &p.rows[i], x), 0, 1e-11);
    for (int j = 0; j < p.n; j++)
      if (p.role[j] == FIXED)
        check_near(x[j], p.start[j], 0);
    if (not_stationary(&p, x) > 1e-6 && !has_free(&p))
      fail_msg("problem %d is not stationary by %g:\n%s", k, not_stationary(&p, x),
               text);
    unsettled += not_stationary(&p, x) > 1e-6;
    if (!lagrange(&p, other))
      continue;
    compared++;
    farther += distance(&p, x) > distance(&p, other) * (1 + 1e-7) + 1e-9;
  }
  print_message("%d compared with Newton's method for the equations of Lagrange, %d "
                "farther; %d not stationary\n",
                compared, farther, unsettled);
  check_in(compared, 0.5 * count, count);
  check_in(farther, 0, 0.02 * count);
  check_in(unsettled, 0, 0.01 * count);
}

/* ----------------------------------------------------------- higher index --- */

/* D of a body on x^2/4 + y^2 = 1 at the angle s, with the velocity that is nearest. */
static double at_angle(double s, const double *start, const double *nominal)
{
  double x[4] = {2 * cos(s), sin(s)}, p = x[0] / 4, q = x[1], sum = 0;
  double u = nominal[2] * nominal[2], v = nominal[3] * nominal[3];
  double mu = (p * start[2] + q * start[3]) / (p * p * u + q * q * v);

  x[2] = start[2] - mu * p * u;
  x[3] = start[3] - mu * q * v;
  for (int j = 0; j < 4; j++)
    sum += pow((x[j] - start[j]) / nominal[j], 2);
  return sum;
}

/* The least D over all angles: the best of many, then by golden sections. */
static double least_on_ellipse(const double *start, const double *nominal)
{
  const double golden = 0.6180339887498949, step = 6.283185307179586 / 4000;
  double best = 0;

  for (int i = 1; i < 4000; i++)
    if (at_angle(i * step, start, nominal) < at_angle(best, start, nominal))
      best = i * step;
  double lo = best - step, hi = best + step;
  while (hi - lo > 1e-12) {
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    if (at_angle(a, start, nominal) < at_angle(b, start, nominal))
      hi = b;
    else
      lo = a;
  }
  return sqrt(at_angle(lo, start, nominal));
}

/* The same body with velocities that are states, or names of derivatives. */
static void write_ellipse(int named, const double *start, const double *nominal,
                          char *text, size_t size)
{
  snprintf(
      text, size,
      "model M\n"
      "  Real x(start = %.17g, nominal = %.17g), y(start = %.17g, nominal = %.17g);\n"
      "  Real vx(start = %.17g, nominal = %.17g), vy(start = %.17g, nominal = "
      "%.17g), F;\n"
      "equation\n"
      "  der(x) = vx; vy = der(y);\n"
      "  %s = -F*x/4; %s = -F*y - 1;\n"
      "  x^2/4 + y^2 = 1;\n"
      "end M;\n",
      start[0], nominal[0], start[1], nominal[1], start[2], nominal[2], start[3],
      nominal[3], named ? "der(der(x))" : "der(vx)", named ? "der(der(y))" : "der(vy)");
}

static void positions_and_velocities_are_nearest_together(void **state)
{
  static const char *const name[] = {"x", "y", "vx", "vy"};
  uint64_t seed = 99;
  int farther = 0, count = 0;

  (void)state;
  for (int k = 0; k < 120; k++) {
    double s = rand_in(&seed, 0, 6.28), r = rand_in(&seed, 0.75, 1.4);
    double nominal[4], start[4] = {2 * r * cos(s), r * sin(s), rand_in(&seed, -1, 1),
                                   rand_in(&seed, -1, 1)};
    char text[1000];
    double x[4];
    for (int j = 0; j < 4; j++)
      nominal[j] = k % 3 ? rand_in(&seed, 0.5, 3) : 1;
    write_ellipse(k % 2, start, nominal, text, sizeof text);
    if (!start_of(text, 4, name, x))
      fail_msg("no start:\n%s", text);
    check_near((x[0] * x[0] / 4 + x[1] * x[1]), 1, 1e-13);
    check_near((x[0] * x[2] / 4 + x[1] * x[3]), 0, 1e-13);
    double sum = 0, least = least_on_ellipse(start, nominal);
    for (int j = 0; j < 4; j++)
      sum += pow((x[j] - start[j]) / nominal[j], 2);
    if (!(sqrt(sum) >= least - 1e-8))
      fail_msg("nearer than possible, %.17g < %.17g:\n%s", sqrt(sum), least, text);
    double s1 = atan2(x[1], x[0] / 2);
    for (int side = -1; side <= 1; side += 2)
      if (!(at_angle(s1 + 1e-4 * side, start, nominal) >= sum - 1e-10))
        fail_msg("no minimum, D = %.17g:\n%s", sum, text);
    farther += sqrt(sum) > least + 1e-8;
    count++;
  }
  print_message("%d of %d are at another minimum\n", farther, count);
  check_in(farther, 0, 0.1 * count);
}

/* A start value of vx = der(x) counts once, in its own nominal value, though der(x) is
 * a state beside it. */
static void a_velocity_counts_once(void **state)
{
  static const char *const name[] = {"x", "y", "vx", "vy"};
  static const char text[] =
      "model M\n"
      "  Real x(start = 1.2, fixed = true), y(start = -0.8), F;\n"
      "  Real vx(start = 0.4), vy(start = 0.9, nominal = 3);\n"
      "equation\n"
      "  der(x) = vx; der(y) = vy;\n"
      "  der(vx) = -F*x/4; der(vy) = -F*y - 1;\n"
      "  x^2/4 + y^2 = 1;\n"
      "end M;\n";
  double p = 0.3, q = -0.8, s = (p * 0.4 + q * 0.9) / (p * p + 9 * q * q);
  double x[4];

  (void)state;
  assert_true(start_of(text, 4, name, x));
  check_near(x[0], 1.2, 0);
  check_near(x[2], 0.4 - s * p, 1e-12);
  check_near(x[3], 0.9 - s * 9 * q, 1e-12);
}

/* ------------------------------------------------------ without start values --- */

static void velocities_without_start_values_are_zero(void **state)
{
  static const char *const name[] = {"x", "y", "vx", "vy"};
  static const char text[] = "model M\n"
                             "  Real x, y, vx, vy, F;\n"
                             "equation\n"
                             "  der(x) = vx; der(y) = vy;\n"
                             "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
                             "  x^2 + y^2 = 1.7;\n"
                             "end M;\n";
  double x[4];

  (void)state;
  assert_true(start_of(text, 4, name, x));
  check_near((x[0] * x[0] + x[1] * x[1]), 1.7, 1e-14);
  check_near(x[2], 0, 0);
  check_near(x[3], 0, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_conditions_have_the_nearest_start),
      cmocka_unit_test(positions_and_velocities_are_nearest_together),
      cmocka_unit_test(a_velocity_counts_once),
      cmocka_unit_test(velocities_without_start_values_are_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
