/* Random differential-algebraic systems of index 1 to 5 with planted solutions
 * (support/planted_dae.h): every method reproduces them, errors follow the tolerance
 * and the order of the method, and constraints hold to rounding after every step; and
 * the same where the equations are mixed, so that they have to be converted first.
 *
 * The environment variable BRINK_PLANTED_DAES is the number of systems,
 * BRINK_PLANTED_FIRST the number of the first one; with BRINK_PLANTED_SHOW the text of
 * each is printed. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"
#include "planted_dae.h"

enum { DEFAULT_COUNT = 200 };

static const double SPAN = 1.5;

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static void show(const planted_dae *p, const char *what, const char *why)
{
  fprintf(stderr, "%s%s: %s\n", p->text, what, why ? why : "");
}

static int no_limits; /* to the length of steps, apart from the tolerance */

/* rtol < 0: steps of that length, of a method that keeps to it. */
static brink_status open_rig(const planted_dae *p, const char *method, double rtol,
                             rig *r)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_status rc;

  *r = (rig){NULL, NULL, NULL};
  check_status(brink_ctx_new(NULL, &r->ctx), BRINK_OK);
  opt.method = method;
  opt.rtol = opt.atol = fabs(rtol);
  opt.h_max = no_limits ? 0 : SPAN / 10;
  opt.look = !no_limits;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = rtol < 0 ? -rtol : SPAN / (rtol < 1e-7 ? 400 : 100);
  rc = brink_model_read(r->ctx, "p.mo", p->text, strlen(p->text), NULL, &r->model);
  if (rc == BRINK_OK)
    rc = brink_sim_new(r->ctx, r->model, &opt, &r->sim);
  if (rc < 0)
    show(p, "not built", brink_ctx_error(r->ctx)->text);
  return rc;
}

/* What is off, of all variables that have names. */
static double error_now(const planted_dae *p, rig *r, double x[][PLANTED_ORDERS])
{
  double worst = 0, t = brink_sim_time(r->sim);
  char name[32];

  for (int j = 0; j < p->n; j++)
    for (int k = 0; k < p->var[j].named; k++) {
      planted_name(j, k, name, sizeof name);
      check_status(brink_sim_get(r->sim, name, &x[j][k]), BRINK_OK);
      worst = fmax(worst, fabs(x[j][k] - planted_value(&p->var[j], k, t)));
    }
  return worst;
}

/* Equation i has constraints, and all that occurs in it has a name. */
static int is_visible(const planted_dae *p, int i)
{
  for (int e = 0; e < p->eqn[i].n; e++) {
    const planted_term *m = &p->eqn[i].term[e];
    if (m->k >= p->var[m->j].named || m->k >= p->var[m->j].d)
      return 0;
  }
  return p->var[i].c > 0;
}

/* By how much the constraints are missed, in roundings of their terms. */
static double drift(const planted_dae *p, rig *r, double x[][PLANTED_ORDERS])
{
  double worst = 0, size;

  for (int i = 0; i < p->n; i++)
    if (is_visible(p, i)) {
      double off = planted_residual(p, i, brink_sim_time(r->sim), x, &size);
      worst = fmax(worst, fabs(off) / (0x1p-52 * (size + 1)));
    }
  return worst;
}

typedef struct outcome {
  double start, error, drift; /* off at the start; at the worst later; constraints */
} outcome;

static brink_status run(const planted_dae *p, const char *method, double rtol,
                        outcome *out)
{
  double x[PLANTED_VARS][PLANTED_ORDERS] = {{0}};
  rig r;
  brink_status rc = open_rig(p, method, rtol, &r);

  *out = (outcome){0, 0, 0};
  if (rc == BRINK_OK && (rc = brink_sim_start(r.sim, p->t0, 0, NULL)) >= 0) {
    out->start = error_now(p, &r, x);
    out->drift = drift(p, &r, x);
    while ((rc = brink_sim_advance(r.sim, p->t0 + SPAN)) == BRINK_OK) {
      out->error = fmax(out->error, error_now(p, &r, x));
      out->drift = fmax(out->drift, drift(p, &r, x));
    }
  }
  if (rc < 0 && r.sim)
    show(p, method, brink_sim_error(r.sim)->text);
  end(&r);
  return rc;
}

typedef struct tally {
  double worst, proportion, drift, start;
  double most_drift; /* that is allowed                                               */
  long systems, runs, by_index[7], failed;
} tally;

static void judge(const planted_dae *p, uint64_t seed, const char *method, double rtol,
                  tally *all)
{
  outcome o;
  int fixed_steps = strcmp(method, "rk4") == 0;

  brink_status rc = run(p, method, rtol, &o);
  all->runs++;
  if (rc != BRINK_END) {
    printf("system %lu, %s at %g: status %d\n", (unsigned long)seed, method, rtol,
           (int)rc);
    all->failed++;
    return;
  }
  double limit = fixed_steps ? 1e-5 : 300 * rtol;
  if (o.start > 1e-10 || !(o.error <= limit) || o.drift > all->most_drift) {
    printf("system %lu, %s at %g: start %.3g, error %.3g, drift %.3g\n",
           (unsigned long)seed, method, rtol, o.start, o.error, o.drift);
    all->failed++;
    if (getenv("BRINK_PLANTED_SHOW"))
      show(p, method, "");
  }
  all->start = fmax(all->start, o.start);
  all->drift = fmax(all->drift, o.drift);
  if (!fixed_steps)
    all->worst = fmax(all->worst, o.error / rtol);
}

static void planted_solutions_are_found_with_every_method(void **state)
{
  static planted_dae p;
  tally all = {.most_drift = 100};
  long count = random_cases("BRINK_PLANTED_DAES", DEFAULT_COUNT);
  long first = asked_number("BRINK_PLANTED_FIRST", 0);
  const char *only = getenv("BRINK_PLANTED_METHOD");

  (void)state;
  for (long i = first; i < first + count; i++) {
    planted_make(&p, (uint64_t)i);
    int methods = 0;
    while (brink_method_name(methods))
      methods++;
    for (int k = 0; k < methods; k++) {
      const char *method = brink_method_name(k);
      if (only ? strcmp(only, method) != 0 : (k + i) % 3 != 0)
        continue; /* a third of the methods for each system */
      judge(&p, (uint64_t)i, method, 1e-5, &all);
      judge(&p, (uint64_t)i, method, 1e-9, &all);
    }
    all.systems++;
  }
  printf("%ld systems, %ld runs, %ld failed: errors up to %.3g tolerances, starts off "
         "by %.3g, constraints by %.3g roundings\n",
         all.systems, all.runs, all.failed, all.worst, all.start, all.drift);
  assert_int_equal(all.failed, 0);
}

/* ------------------------------------------------------------------ mixed --- */

/* How many conversions the system takes, -1: it is still singular after them. */
static long conversions_of(const planted_dae *p)
{
  brink_load_opts opt = brink_load_defaults();
  brink_structures *all = NULL;
  brink_model *model = NULL;
  brink_ctx *ctx = NULL;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  opt.structures = &all;
  brink_model_read(ctx, "p.mo", p->text, strlen(p->text), &opt, &model);
  assert_non_null(all);
  long n = all->v[0].unconverted ? -1 : (long)all->v[0].n_conversions;
  brink_structures_free(all);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return n;
}

static void mixed_equations_are_converted_and_solved(void **state)
{
  static planted_dae p;
  static const char *const methods[] = {"taylor", "dop853"};
  tally all = {.most_drift = 1e4}; /* it is measured before the mix, corrected after */
  long count = random_cases("BRINK_PLANTED_DAES", DEFAULT_COUNT), converted = 0,
       most = 0;
  long first = asked_number("BRINK_PLANTED_FIRST", 0);

  (void)state;
  for (long i = first; i < first + count; i++) {
    planted_make_mixed(&p, (uint64_t)i);
    long n = conversions_of(&p);
    if (n < 0) {
      printf("system %ld is not converted\n", i);
      all.failed++;
    }
    converted += n > 0;
    most = n > most ? n : most;
    judge(&p, (uint64_t)i, methods[i % 2], 1e-9, &all);
    all.systems++;
  }
  printf(
      "%ld mixed systems, %ld of them converted, up to %ld times; %ld failed: errors "
      "up to %.3g tolerances, starts off by %.3g, constraints by %.3g roundings\n",
      all.systems, converted, most, all.failed, all.worst, all.start, all.drift);
  assert_int_equal(all.failed, 0);
  assert_true(converted > count / 4);
}

/* ------------------------------------------------------------------ order --- */

/* The mean of log(error at `from` / error at `to`) / log(from / to) over systems. */
static double slope(const char *method, double from, double to)
{
  static planted_dae p;
  double sum = 0;
  int n = 0;

  for (uint64_t i = 0; i < 60; i++) {
    outcome coarse, fine;
    planted_make(&p, 500 + i);
    if (run(&p, method, from, &coarse) != BRINK_END ||
        run(&p, method, to, &fine) != BRINK_END || fine.error < 2e-14)
      continue;
    sum += log(coarse.error / fine.error) / log(from / to);
    n++;
  }
  assert_true(n >= 20);
  return sum / n;
}

static void errors_follow_the_tolerance(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams", "taylor"};

  (void)state;
  no_limits = 1;
  for (int k = 0; k < 4; k++) {
    double s = slope(methods[k], 1e-6, 1e-10);
    printf("%s: errors go with the tolerance to the power %.2f\n", methods[k], s);
    check_in(s, 0.65, 1.25);
  }
  no_limits = 0;
}

static void projection_keeps_the_order_of_fixed_steps(void **state)
{
  double s = slope("rk4", -SPAN / 30, -SPAN / 60);

  (void)state;
  printf("rk4: order %.2f\n", s);
  check_in(s, 3.75, 4.5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_follow_the_tolerance),
      cmocka_unit_test(projection_keeps_the_order_of_fixed_steps),
      cmocka_unit_test(planted_solutions_are_found_with_every_method),
      cmocka_unit_test(mixed_equations_are_converted_and_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
