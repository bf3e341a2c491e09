/* Order conditions of every Runge-Kutta method that is listed.
 *
 * The tableau is not copied but read off the running method: a right-hand side that
 * answers its j-th call with the j-th unit vector finds row i of the coefficients in
 * the argument of call i, the node in its time, the weights in the candidate and the
 * weights of the polynomial in its coefficients.  So what is tested is what runs. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/core.h"
#include "ode/method.h"
#include "trees.h"

#include "ode/dop853_table.h"

enum { DEGREES = 16 };

typedef struct probe {
  tableau tab;
  double b[TREES_STAGES];             /* weights of the candidate            */
  double poly[TREES_STAGES][DEGREES]; /* of theta^k, b_i(theta)              */
  int degree;
} probe;

typedef struct oracle {
  probe *p;
  const double *answer; /* for one equation: the value of stage j, or NULL      */
  int call;
} oracle;

static int tell(const brink_flow *flow, double t, const double *y, double *f)
{
  oracle *o = flow->self;
  int j = o->call++;

  if (o->answer) {
    f[0] = o->answer[j];
    return 0;
  }
  o->p->tab.c[j] = t;
  for (size_t i = 0; i < flow->n; i++) {
    o->p->tab.a[j][i] = y[i];
    f[i] = (int)i == j;
  }
  return 0;
}

static const char *no_reason(const brink_flow *flow)
{
  (void)flow;
  return "";
}

/* One step of size 1 from (0, 0): its error and, in coeff, its polynomial. */
static double run(const brink_method *m, oracle *o, size_t n, double *y1, double *coeff,
                  int *degree)
{
  brink_flow flow = {.self = o, .n = n, .rhs = tell, .reason = no_reason};
  brink__gate gate = {.flow = &flow};
  brink__tol tol = {.rtol = 0, .atol = o->answer ? 1 : 1e300};
  brink__outcome out = {0};
  double y[TREES_STAGES] = {0}, h = 1;
  brink_integrator_opts opt = brink_integrator_defaults();
  max_align_t state[2048];

  assert_true(m->state_size(&flow, &opt) <= sizeof state);
  memset(state, 0, sizeof state);
  check_status(m->open(state, NULL, &flow, &opt), BRINK_OK);
  m->start(state, n);
  check_status(m->attempt(state, &gate, &tol, 0, h, y, &out), BRINK_OK);
  if (coeff) {
    check_status(m->dense(state, &gate, 0, h, y), BRINK_OK);
    memcpy(y1, m->candidate(state, n), n * sizeof *y1);
    *degree = m->accept(state, n, h, y, coeff);
  }
  return out.err;
}

static void probe_read(const brink_method *m, probe *p)
{
  oracle o = {.p = p};
  double coeff[TREES_STAGES * DEGREES];

  memset(p, 0, sizeof *p);
  p->tab.s = m->stages;
  assert_true(m->stages < TREES_STAGES);
  run(m, &o, (size_t)m->stages, p->b, coeff, &p->degree);
  assert_int_equal(o.call, m->stages);
  for (int i = 0; i < m->stages; i++)
    memcpy(p->poly[i], coeff + i * (p->degree + 1),
           (size_t)(p->degree + 1) * sizeof *coeff);
}

#define BRINK_METHOD(name) &brink__##name,
static const brink_method *const all[] = {
#include "ode/methods.def"
};
#undef BRINK_METHOD

#define EACH_TABLEAU(m, p)                                                             \
  for (size_t i_ = 0; i_ < BRINK__COUNT(all); i_++)                                    \
    for (const brink_method *m = all[i_]; m && m->stages && (probe_read(m, &p), 1);    \
         m = NULL)

/* Rounding of a sum of products of coefficients: its terms' size times eps. */
static double rounding(const forest *f, int t, const probe *p, const double *w)
{
  tableau magnitude = p->tab;
  double phi[TREES_STAGES], sum = 0;

  for (int i = 0; i < magnitude.s; i++)
    for (int j = 0; j < i; j++)
      magnitude.a[i][j] = fabs(magnitude.a[i][j]);
  tree_weights(f, t, &magnitude, phi);
  for (int i = 0; i < magnitude.s; i++)
    sum += fabs(w[i] * phi[i]);
  return 4 * DBL_EPSILON * (sum + 1 / f->tree[t].density);
}

static double residual(const forest *f, int t, const probe *p, const double *w)
{
  double phi[TREES_STAGES], sum = 0;

  tree_weights(f, t, &p->tab, phi);
  for (int i = 0; i < p->tab.s; i++)
    sum += w[i] * phi[i];
  return sum - 1 / f->tree[t].density;
}

static void trees_up_to_order_eight_are_two_hundred(void **state)
{
  static const int count[] = {1, 1, 2, 4, 9, 20, 48, 115};
  forest f;
  double tall = 1;

  (void)state;
  forest_grow(&f);
  assert_int_equal(f.n, 200);
  for (int p = 1; p <= TREES_ORDER; p++) {
    assert_int_equal(f.first[p + 1] - f.first[p], count[p - 1]);
    /* the tallest tree has density p!, the bush p; nothing lies beyond */
    tall *= p;
    double lo = HUGE_VAL, hi = 0;
    for (int t = f.first[p]; t < f.first[p + 1]; t++) {
      lo = fmin(lo, f.tree[t].density);
      hi = fmax(hi, f.tree[t].density);
    }
    check_near(lo, p, 0);
    check_near(hi, tall, 0);
  }
}

static void rows_sum_to_their_nodes(void **state)
{
  probe p;

  (void)state;
  EACH_TABLEAU(m, p)
  {
    for (int i = 0; i < m->stages; i++) {
      double sum = 0, size = 0;
      for (int j = 0; j < i; j++) {
        sum += p.tab.a[i][j];
        size += fabs(p.tab.a[i][j]);
      }
      check_near(sum, p.tab.c[i], 2 * DBL_EPSILON * (1 + size));
      for (int j = i; j < m->stages; j++) /* explicit */
        check_near(p.tab.a[i][j], 0, 0);
    }
  }
}

static void conditions_hold_up_to_the_order_and_not_beyond(void **state)
{
  forest f;
  probe p;

  (void)state;
  forest_grow(&f);
  EACH_TABLEAU(m, p)
  {
    for (int t = 0; t < f.first[m->order + 1]; t++)
      check_near(residual(&f, t, &p, p.b), 0, rounding(&f, t, &p, p.b));
    double beyond = 0;
    for (int t = f.first[m->order + 1];
         m->order < TREES_ORDER && t < f.first[m->order + 2]; t++)
      beyond = fmax(beyond, fabs(residual(&f, t, &p, p.b)));
    if (m->order < TREES_ORDER)
      check_in(beyond, 1e-5, 1);
  }
}

static void the_error_estimate_vanishes_up_to_its_order(void **state)
{
  forest f;
  probe p;

  (void)state;
  forest_grow(&f);
  EACH_TABLEAU(m, p)
  {
    /* the lower order of the pair: what the name of the estimate promises, but of
       dop853's combination the order-five part is seen */
    int lower = m->error_order < 5 ? m->error_order : 5;
    double beyond = 0;
    if (m->flags & BRINK__FIXED_STEP)
      continue;
    for (int t = 0; t < f.first[lower + 2]; t++) {
      double phi[TREES_STAGES];
      tree_weights(&f, t, &p.tab, phi);
      oracle o = {.p = &p, .answer = phi};
      double err = run(m, &o, 1, NULL, NULL, NULL);
      if (f.tree[t].order <= lower)
        check_near(err, 0, 2e-14);
      else
        beyond = fmax(beyond, err);
    }
    check_in(beyond, 1e-6, 1);
  }
}

/* b_i(theta): sum_i b_i(theta) phi_i = theta^|t| / gamma at every theta, so for each
 * coefficient of theta^k. */
static void polynomials_satisfy_the_conditions_at_every_theta(void **state)
{
  forest f;
  probe p;

  (void)state;
  forest_grow(&f);
  EACH_TABLEAU(m, p)
  {
    double beyond = 0;
    for (int t = 0; t < f.first[m->dense_order + 2]; t++)
      for (int k = 0; k <= p.degree; k++) {
        double w[TREES_STAGES];
        for (int i = 0; i < m->stages; i++)
          w[i] = p.poly[i][k];
        double want = k == f.tree[t].order ? 0 : -1 / f.tree[t].density;
        double off = residual(&f, t, &p, w) - want;
        if (f.tree[t].order <= m->dense_order)
          check_near(off, 0, rounding(&f, t, &p, w));
        else
          beyond = fmax(beyond, fabs(off));
      }
    check_in(beyond, 1e-5, 1e3);
  }
}

static void polynomials_have_the_ends_and_their_slopes(void **state)
{
  probe p;

  (void)state;
  EACH_TABLEAU(m, p)
  {
    int last = 0; /* the stage at the end point: its row is b */
    for (int i = 1; i < m->stages; i++)
      if (memcmp(p.tab.a[i], p.b, sizeof p.b) == 0)
        last = i;
    assert_true(last > 0);
    check_near(p.tab.c[last], 1, 0);
    for (int i = 0; i < m->stages; i++) {
      double end = 0, slope = 0, size = 0;
      for (int k = 0; k <= p.degree; k++) {
        end += p.poly[i][k];
        slope += k * p.poly[i][k];
        size += fabs(k * p.poly[i][k]);
      }
      check_near(p.poly[i][0], 0, 0);
      check_near(p.poly[i][1], i == 0, 0);
      check_near(end, p.b[i], 4 * DBL_EPSILON * (1 + size));
      check_near(slope, i == last, 4 * DBL_EPSILON * (1 + size));
    }
  }
}

/* The estimates that dop853 combines, from its table. */
static void dop853_estimates_have_orders_three_five_and_six(void **state)
{
  static const int order[] = {3, 5, 6};
  forest f;
  probe p;
  double w[3][TREES_STAGES] = {{0}}, beyond[3] = {0};

  (void)state;
  forest_grow(&f);
  probe_read(&brink__dop853, &p);
  for (int i = 0; i < LAST; i++) {
    w[0][i] = b3[i];
    w[1][i] = a[LAST][i] - e5[i];
    w[2][i] = a[LAST][i] - e6[i];
  }
  for (int k = 0; k < 3; k++) {
    for (int t = 0; t < f.first[order[k] + 2]; t++) {
      double r = residual(&f, t, &p, w[k]);
      if (f.tree[t].order <= order[k])
        check_near(r, 0, rounding(&f, t, &p, w[k]));
      else
        beyond[k] = fmax(beyond[k], fabs(r));
    }
    check_in(beyond[k], 1e-5, 1);
  }
  for (int i = 0; i < STAGES; i++) /* the running method has these nodes */
    check_near(p.tab.c[i], c[i], 0);
  check_in(d[0][0], -8.43, -8.42);
}

/* f = (t - theta)+: what the step is wrong by, against the estimate. */
static void dop853_sees_half_of_the_error_of_nearly_any_kink(void **state)
{
  enum { PLACES = 10000 };
  probe p;
  int less = 0;

  (void)state;
  probe_read(&brink__dop853, &p);
  for (int i = 1; i < PLACES; i++) {
    double theta = (double)i / PLACES, k[TREES_STAGES] = {0}, y = 0;
    for (int j = 0; j < brink__dop853.stages; j++) {
      k[j] = fmax(p.tab.c[j] - theta, 0);
      y += p.b[j] * k[j];
    }
    oracle o = {.p = &p, .answer = k};
    double err = run(&brink__dop853, &o, 1, NULL, NULL, NULL);
    double off = fabs(y - (1 - theta) * (1 - theta) / 2);
    check_in(off, 0, 20 * err);
    less += off > 2 * err;
  }
  check_in(less, 0, 0.005 * PLACES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_up_to_order_eight_are_two_hundred),
      cmocka_unit_test(rows_sum_to_their_nodes),
      cmocka_unit_test(conditions_hold_up_to_the_order_and_not_beyond),
      cmocka_unit_test(the_error_estimate_vanishes_up_to_its_order),
      cmocka_unit_test(polynomials_satisfy_the_conditions_at_every_theta),
      cmocka_unit_test(polynomials_have_the_ends_and_their_slopes),
      cmocka_unit_test(dop853_estimates_have_orders_three_five_and_six),
      cmocka_unit_test(dop853_sees_half_of_the_error_of_nearly_any_kink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
