/* Branches that change the structure of the equations: modes that a run finds, memory,
 * clones, threads, and what is said where no mode fits. */
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"
#include "core/core.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

/* An Integer chooses: neutral (index 1), or one of two ratios (index 2). */
static const char gearbox[] =
    "model M\n"
    "  Real w1(start = 3, fixed = true), w2(start = 1.1, fixed = true), t1, t2;\n"
    "  Integer gear(start = 0, fixed = true);\n"
    "equation\n"
    "  0.7*der(w1) = 0.4 - t1;\n"
    "  2.1*der(w2) = t2 - 0.05*w2;\n"
    "  if gear == 0 then t1 = 0; t2 = 0;\n"
    "  elseif gear == 1 then w1 = 2.5*w2; t2 = 2.5*t1;\n"
    "  else w1 = 1.3*w2; t2 = 1.3*t1; end if;\n"
    "  when time > 0.5 then gear = 1; elsewhen time > 1.2 then gear = 0;\n"
    "  elsewhen time > 1.5 then gear = 2; elsewhen time > 1.7 then gear = 1; end "
    "when;\n"
    "end M;\n";

/* A string that is taut or slack, by complementarity. */
static const char string[] =
    "model M\n"
    "  Real x(start = 0.1, fixed = true), y(start = -1.2, fixed = true);\n"
    "  Real vx(start = 6.4, fixed = true), vy(start = 0.3, fixed = true);\n"
    "  Real F, s(start = -1);\n"
    "equation\n"
    "  der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
    "  F = if s < 0 then 0 else s;\n"
    "  1.69 - x^2 - y^2 = if s < 0 then -s else 0;\n"
    "end M;\n";

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static brink_status open_in(const brink_alloc *alloc, const char *text, rig *r)
{
  *r = (rig){NULL, NULL, NULL};
  BRINK_TRY(brink_ctx_new(alloc, &r->ctx));
  BRINK_TRY(brink_model_read(r->ctx, "m.mo", text, strlen(text), NULL, &r->model));
  BRINK_TRY(brink_sim_new(r->ctx, r->model, NULL, &r->sim));
  return brink_sim_start(r->sim, 0, 0, NULL);
}

static rig open_rig(const char *text)
{
  rig r;
  check_status(open_in(NULL, text, &r), BRINK_OK);
  return r;
}

static double get(brink_sim *sim, const char *name)
{
  double value = (double)NAN;
  check_status(brink_sim_get(sim, name, &value), BRINK_OK);
  return value;
}

/* ------------------------------------------------------------------ runs --- */

/* The closed form of a stretch from t0 to t, starting with w1, w2. */
static void in_neutral(double t0, double t, double *w1, double *w2)
{
  *w1 += 0.4 / 0.7 * (t - t0);
  *w2 *= exp(-0.05 / 2.1 * (t - t0));
}

/* Locks with w1 = r w2: 2.1 dw2 = -r 0.7 dw1; then (0.7 r^2 + 2.1) w2' = 0.4 r -
 * 0.05 w2. */
static void in_gear(double r, double t0, double t, double *w1, double *w2)
{
  double J = 0.7 * r * r + 2.1, w = (0.7 * r * *w1 + 2.1 * *w2) / J,
         rest = 0.4 * r / 0.05;

  *w2 = rest + (w - rest) * exp(-0.05 / J * (t - t0));
  *w1 = r * *w2;
}

static void an_integer_chooses_the_mode(void **state)
{
  rig r = open_rig(gearbox);
  double w1 = 3, w2 = 1.1;

  (void)state;
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  in_neutral(0, 0.5, &w1, &w2);
  in_gear(2.5, 0.5, 1.2, &w1, &w2);
  in_neutral(1.2, 1.5, &w1, &w2);
  in_gear(1.3, 1.5, 1.7, &w1, &w2);
  in_gear(2.5, 1.7, 2, &w1, &w2);
  check_near(get(r.sim, "w1"), w1, 1e-6);
  check_near(get(r.sim, "w2"), w2, 1e-6);
  end(&r);
}

static void a_string_keeps_its_length_while_it_is_taut(void **state)
{
  rig r = open_rig(string);
  brink_status rc;
  int taut = 0, slack = 0;

  (void)state;
  while ((rc = brink_sim_advance(r.sim, 9)) == BRINK_OK || rc == BRINK_EVENT) {
    double x = get(r.sim, "x"), y = get(r.sim, "y"), F = get(r.sim, "F");
    assert_true(F >= 0);
    assert_true(x * x + y * y <= 1.69 + 1e-9);
    taut += F > 0;
    slack += F == 0;
    if (F > 0)
      check_near(x * x + y * y, 1.69, 1e-12);
  }
  check_status(rc, BRINK_END);
  assert_true(taut > 10 && slack > 3);
  end(&r);
}

/* More stops than choices of them can be looked at: each decides about the structure.
 */
static void each_of_many_stops_is_found(void **state)
{
  rig r = open_rig(
      "model M\n"
      "  Real x[24](each start = 0, each fixed = true), N[24];\n"
      "  Real v[24](each start = 0, each fixed = true), s[24](each start = -1);\n"
      "equation\n"
      "  for i in 1:24 loop\n"
      "    der(x[i]) = v[i];\n"
      "    der(v[i]) = 3*sin(time*(1 + 0.03*i)) - x[i] - N[i];\n"
      "    N[i] = if s[i] > 0 then s[i] else 0;\n"
      "    0.8 - x[i] = if s[i] > 0 then 0 else -s[i];\n"
      "  end for;\n"
      "end M;\n");
  char name[16];

  (void)state;
  check_status(brink_sim_run(r.sim, 1.5), BRINK_END);
  for (int i = 1; i <= 24; i++) {
    snprintf(name, sizeof name, "x[%d]", i);
    check_near(get(r.sim, name), 0.8, 1e-12);
    snprintf(name, sizeof name, "N[%d]", i);
    check_near(get(r.sim, name), 3 * sin(1.5 * (1 + 0.03 * i)) - 0.8, 1e-9);
  }
  end(&r);
}

/* -------------------------------------------------------- copies, threads --- */

static void a_clone_goes_on_as_the_run_does(void **state)
{
  rig r = open_rig(gearbox);
  brink_sim *other = NULL;

  (void)state;
  check_status(brink_sim_run(r.sim, 1.3), BRINK_END);
  check_status(brink_sim_clone(r.ctx, r.sim, &other), BRINK_OK);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_status(brink_sim_run(other, 2), BRINK_END);
  check_near(get(other, "w1"), get(r.sim, "w1"), 0);
  check_near(get(other, "t2"), get(r.sim, "t2"), 0);
  brink_sim_free(other);
  end(&r);
}

typedef struct job {
  const brink_model *model;
  double out;
} job;

static void *work(void *user)
{
  job *j = user;
  brink_ctx *ctx = NULL;
  brink_sim *sim = NULL;

  j->out = (double)NAN;
  if (brink_ctx_new(NULL, &ctx) == BRINK_OK &&
      brink_sim_new(ctx, j->model, NULL, &sim) == BRINK_OK &&
      brink_sim_start(sim, 0, 0, NULL) == BRINK_OK &&
      brink_sim_run(sim, 2) == BRINK_END)
    brink_sim_get(sim, "w1", &j->out);
  brink_sim_free(sim);
  brink_ctx_free(ctx);
  return NULL;
}

static void threads_compile_modes_of_one_model(void **state)
{
  rig r = open_rig(gearbox);
  job jobs[3] = {{.model = r.model}, {.model = r.model}, {.model = r.model}};
  pthread_t thread[2];

  (void)state;
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  work(&jobs[2]);
  assert_true(isfinite(jobs[2].out));
  check_near(jobs[0].out, jobs[2].out, 0);
  check_near(jobs[1].out, jobs[2].out, 0);
  end(&r);
}

/* ------------------------------------------------------------------ memory --- */

static void fail_each(const char *text, double stop)
{
  long at = 1;

  for (brink_status rc = BRINK_ENOMEM; rc != BRINK_END; at++) {
    flaky f = {.fail_at = at};
    brink_alloc alloc = flaky_alloc(&f);
    rig r;
    rc = open_in(&alloc, text, &r);
    if (rc == BRINK_OK)
      rc = brink_sim_run(r.sim, stop);
    if (rc != BRINK_END)
      check_status(rc, BRINK_ENOMEM);
    end(&r);
    assert_int_equal(f.live, 0);
  }
  check_in((double)at, 30, 20000);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  fail_each(gearbox, 0.6);
  fail_each(string, 0.5);
}

/* --------------------------------------------------------------- sentences --- */

static void expect_error(const char *text, double stop, const char *sentence)
{
  rig r;
  brink_status rc = open_in(NULL, text, &r);

  if (rc == BRINK_OK)
    rc = brink_sim_run(r.sim, stop);
  assert_true(rc < 0);
  const char *said =
      r.sim ? brink_sim_error(r.sim)->text : brink_ctx_error(r.ctx)->text;
  if (!strstr(said, sentence))
    fail_msg("'%s' does not say '%s'", said, sentence);
  end(&r);
}

static void where_no_mode_fits_it_is_said_why(void **state)
{
  (void)state;
  expect_error(
      "model M\n"
      "  Real x(start = 1.3, fixed = true), z;\n"
      "equation\n"
      "  der(x) = -x + z;\n"
      "  0 = if z < 0.5 then x - 1.3 else z + 1.2;\n"
      "end M;\n",
      1,
      "none of the 2 modes that were tried agrees with its own solution: in (z < "
      "0.5)=true the solution says (z < 0.5)=false (line 5)");
  expect_error("model M\n"
               "  Real x(start = 1, fixed = true), v(start = 0, fixed = true), F;\n"
               "  Boolean held(start = false, fixed = true);\n"
               "equation\n"
               "  der(x) = v; der(v) = F - x;\n"
               "  0 = if held then x - 0.2 else F;\n"
               "  when time > 0.4 then held = true; end when;\n"
               "end M;\n",
               1, "'x' would have to jump from 0.92106099");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_integer_chooses_the_mode),
      cmocka_unit_test(a_string_keeps_its_length_while_it_is_taut),
      cmocka_unit_test(each_of_many_stops_is_found),
      cmocka_unit_test(a_clone_goes_on_as_the_run_does),
      cmocka_unit_test(threads_compile_modes_of_one_model),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(where_no_mode_fits_it_is_said_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
