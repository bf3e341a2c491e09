/* Sequences of events that neither contract nor slide run to their end: equal gaps
 * after a long one, gaps that grow or shrink to a limit, clusters, two guards in turn,
 * samples in between, flat guards, contraction that stops, noise around zero.  And
 * those that do contract do not.
 *
 * BRINK_CASES sets the number of models (default: CASES). */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"

enum { CASES = 300 };

static const char *const methods[] = {"dopri5", "dop853", "adams", "bs23", "rkf45"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static int below(uint64_t *seed, int n) { return (int)(rand_01(seed) * n); }

static double decades(uint64_t *seed, double lo, double hi)
{
  return pow(10, rand_in(seed, lo, hi));
}

/* Run from 0; the value of n at the end, or NaN. */
static double run(const char *text, const char *method, double t_end, brink_status *rc,
                  char *why, size_t size)
{
  brink_sim_opts opt = brink_sim_defaults();
  double v[16], n = (double)NAN;
  rig r;

  opt.method = method;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  *rc = brink_model_read(r.ctx, "t.mo", text, strlen(text), NULL, &r.model);
  if (*rc < 0)
    print_error("%s\n%s\n", brink_ctx_error(r.ctx)->text, text);
  check_status(*rc, BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  *rc = brink_sim_run(r.sim, t_end);
  snprintf(why, size, "%.200s", brink_sim_error(r.sim)->text);
  check_status(brink_sim_values(r.sim, v), BRINK_OK);
  for (size_t i = 0; i < brink_model_variables(r.model); i++)
    if (strcmp(brink_model_variable(r.model, i).name, "n") == 0)
      n = v[i];
  rig_free(&r);
  return n;
}

/* ---------------------------------------------------------------- gaps --- */

/* The guard x > next, where next moves on by gap(n); z makes the event act. */
static double planned_gaps(uint64_t *seed, char *text, size_t size, double *t_end)
{
  double first = decades(seed, -1, 1), gap = decades(seed, -7, -1), ratio;
  int kind = below(seed, 5), events = 40 + below(seed, 160), n = 0;
  char next[200];

  ratio = kind == 1 ? 1 + decades(seed, -4, -1.3) : decades(seed, -5, 0);
  switch (kind) {
  case 0: snprintf(next, sizeof next, "%.17g", gap); break;
  case 1: snprintf(next, sizeof next, "%.17g*%.17g^pre(n)", gap, ratio); break;
  case 2: /* clusters of three, apart again and again */
    snprintf(next, sizeof next, "(if mod(pre(n), 3) == 0 then %.17g else %.17g)", first,
             gap);
    break;
  case 3: /* down to a limit */
    snprintf(next, sizeof next, "%.17g + %.17g*0.7^pre(n)", gap, first);
    break;
  default: /* like 1/k */ snprintf(next, sizeof next, "%.17g/(pre(n) + 1)", gap);
  }
  snprintf(
      text, size,
      "model G\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "  discrete Real level(start = %.17g, fixed = true);\nequation\n"
      "  der(x) = 1;\n  der(z) = -z;\n  when x > pre(level) then\n    n = pre(n) + 1;\n"
      "    level = pre(level) + %s;\n    reinit(z, 1);\n  end when;\nend G;\n",
      first, next);

  double level = first, last = gap;
  for (; n < events; n++) {
    last = kind == 0   ? gap
           : kind == 1 ? gap * pow(ratio, n)
           : kind == 2 ? (n % 3 == 0 ? first : gap)
           : kind == 3 ? gap + first * pow(0.7, n)
                       : gap / (n + 1);
    level += last;
  }
  *t_end = level - 0.5 * last;
  return n;
}

/* A flat guard that swings, faster than its first gap: (x - level) is an odd power. */
static double flat_swings(uint64_t *seed, char *text, size_t size, double *t_end)
{
  static const char *const powers[] = {"", "^3", "^5"};
  double w = decades(seed, 1, 3), first = rand_in(seed, 1, 3);
  int n = 30 + below(seed, 100);

  snprintf(text, size,
           "model S\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
           "  Integer n(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
           "  der(z) = -z;\n  when x > %.17g and sin(%.17g*(x - %.17g))%s > 0 then\n"
           "    n = pre(n) + 1;\n    reinit(z, 1);\n  end when;\nend S;\n",
           first, w, first, powers[below(seed, 3)]);
  *t_end = first + (n - 0.5) * 2 * 3.14159265358979 / w;
  return n + (*t_end < first);
}

/* Two guards in turn, and samples between them. */
static double in_turn(uint64_t *seed, char *text, size_t size, double *t_end)
{
  double v = decades(seed, 0, 3), every = decades(seed, -2, 0);
  int n = 40 + below(seed, 100);

  snprintf(
      text, size,
      "model T\n  Real x(start = -5, fixed = true), v(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = 0;\n  when {x > 1, x < 0} then\n"
      "    n = pre(n) + 1;\n    reinit(v, if x > 0.5 then %.17g else %.17g);\n"
      "  end when;\n  when sample(0.1, %.17g) then\n    k = pre(k) + 1;\n"
      "  end when;\nend T;\n",
      -v, v, every);
  *t_end = 6 + (n - 1 + 0.5) / v;
  return n;
}

/* An elastic ball: equal gaps, far shorter than the way from the start. */
static double elastic(uint64_t *seed, char *text, size_t size, double *t_end)
{
  double h = decades(seed, -6, 1), floor = below(seed, 2) ? 0 : decades(seed, -1, 2);
  int n = 60 + below(seed, 100);

  snprintf(
      text, size,
      "model B\n  Real h(start = %.17g, fixed = true), v(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\nequation\n  der(h) = v;\n"
      "  der(v) = -9.81;\n  when h <= %.17g then\n    n = pre(n) + 1;\n"
      "    reinit(v, -pre(v));\n  end when;\nend B;\n",
      floor + h, floor);
  double fall = sqrt(2 * h / 9.81);
  *t_end = fall + (n - 1 + 0.5) * 2 * fall;
  return n;
}

/* A ball that loses speed until the model says otherwise: a counter, a speed, a time.
 */
static double contraction_that_stops(uint64_t *seed, char *text, size_t size,
                                     double *t_end)
{
  double e = rand_in(seed, 0.4, 0.93), v = sqrt(2 * 9.81), t = v / 9.81;
  int stops = 8 + below(seed, (int)(log(1e-6) / log(e)) - 8);
  int n = stops + 20 + below(seed, 40), how = below(seed, 3);
  double speed = v * pow(e, stops - 0.5),
         when = t + 2 * t * e * (1 - pow(e, stops - 0.5)) / (1 - e);
  static const char *const conditions[] = {"pre(n) < %.0f", "-pre(v) > %.17g",
                                           "time < %.17g"};
  char condition[60];

  snprintf(condition, sizeof condition, conditions[how],
           how == 0   ? (double)stops
           : how == 1 ? speed
                      : when);
  snprintf(text, size,
           "model E\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
           "  Integer n(start = 0, fixed = true);\nequation\n  der(h) = v;\n"
           "  der(v) = -9.81;\n  when h <= 0 then\n    n = pre(n) + 1;\n"
           "    reinit(v, if %s then -%.17g*pre(v) else -pre(v));\n  end when;\n"
           "end E;\n",
           condition, e);
  for (int k = 0; k < n; k++) {
    int loses = how == 0 ? k < stops : how == 1 ? v > speed : t < when;
    v *= loses ? e : 1;
    t += 2 * v / 9.81;
  }
  *t_end = t - v / 9.81;
  return n;
}

/* The same gaps for two guards in turn: filling one of two tanks from above and below.
 */
static double tanks_that_last(uint64_t *seed, char *text, size_t size, double *t_end)
{
  double in = rand_in(seed, 2, 4), band = decades(seed, -4, 0);
  int n = 40 + below(seed, 60);

  snprintf(
      text, size,
      "model T\n  Real x(start = 0.5, fixed = true), y(start = 0.5, fixed = true);\n"
      "  Boolean first(start = true, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\nequation\n"
      "  der(x) = (if first then %.17g else 0) - 1;\n"
      "  der(y) = (if first then 0 else %.17g) - 1;\n"
      "  when {pre(first) and y < 0.5 - %.17g, not pre(first) and x < 0.5 - %.17g} "
      "then\n"
      "    first = not pre(first);\n    n = pre(n) + 1;\n  end when;\nend T;\n",
      in, in, band, band);
  double x = 0.5, y = 0.5, t = 0, low = 0.5 - band;
  for (int k = 0; k < n; k++) {
    double *falls = k % 2 ? &x : &y, *rises = k % 2 ? &y : &x, gap = *falls - low;
    *rises += (in - 1) * gap;
    *falls = low;
    t += gap;
  }
  *t_end = t + 0.5 * ((n % 2 ? x : y) - low);
  return n;
}

static void what_does_not_contract_runs_to_its_end(void **state)
{
  typedef double make_fn(uint64_t *, char *, size_t, double *);
  static make_fn *const makers[] = {
      planned_gaps,           flat_swings,    in_turn, elastic,
      contraction_that_stops, tanks_that_last};
  static const char *const names[] = {"planned", "flat",  "in turn",
                                      "elastic", "stops", "tanks"};
  enum { MAKERS = sizeof makers / sizeof makers[0] };
  const char *asked = getenv("BRINK_CASES");
  int n = asked ? atoi(asked) : CASES, wrong = 0;
  uint64_t seed = 15;

  (void)state;
  for (int i = 0; i < n; i++) {
    char text[2000], why[256];
    double t_end;
    brink_status rc;
    double want = makers[i % MAKERS](&seed, text, sizeof text, &t_end);
    const char *method = methods[below(&seed, METHODS)];
    double got = run(text, method, t_end, &rc, why, sizeof why);
    if (rc == BRINK_END && got == want)
      continue;
    print_error("%s, %s: %s, n = %g, not %g, to %.17g\n%s\n%s\n", names[i % MAKERS],
                method, brink_status_name(rc), got, want, t_end, why, text);
    wrong++;
  }
  print_message("%d sequences, %d wrong\n", n, wrong);
  assert_int_equal(wrong, 0);
}

/* -------------------------------------------------------------- callbacks --- */

/* The same in callbacks: a clock whose next level is a gap ahead, and two of them in
 * turn, in modes of their own. */
typedef struct clockwork {
  int kind;
  double first, gap, ratio;
} clockwork;

static double gap_number(const clockwork *c, int n)
{
  switch (c->kind) {
  case 0: return c->gap;
  case 1: return c->gap * pow(1 + 0.01 * c->ratio, n);
  case 2: return n % 3 == 0 ? c->first : c->gap;
  case 3: return c->gap + c->first * pow(c->ratio, n);
  case 4: return fmax(c->gap, c->first * pow(c->ratio, n));
  default: return c->first / (n + 1);
  }
}

static int ticks(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = 1;
  f[1] = -y[1];
  return 0;
}

static double until_next(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k;
  return y[0] - e->p[0];
}

static int next_level(brink_jump *j)
{
  const clockwork *c = j->user;

  j->p[0] += gap_number(c, (int)j->w[0]);
  j->w[0] += 1;
  j->y[1] = 1;
  j->mode = c->ratio > 0.7 ? !j->mode : j->mode;
  return 0;
}

static void callbacks_that_do_not_contract_run_to_their_end(void **state)
{
  static const brink_guard_def guard = {.name = "next", .fn = until_next, .degree = 1};
  static const brink_event_def event = {
      .name = "tick", .dir = BRINK_UP, .jump = next_level};
  const brink_mode_def mode = {.name = "one",
                               .n = 2,
                               .rhs = ticks,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_mode_def modes[] = {mode, mode};
  const char *asked = getenv("BRINK_CASES");
  int n = asked ? atoi(asked) : CASES;
  uint64_t seed = 17;

  (void)state;
  for (int i = 0; i < n; i++) {
    clockwork c = {.kind = i % 6,
                   .first = rand_in(&seed, 0.1, 1),
                   .gap = decades(&seed, -5, -1),
                   .ratio = rand_in(&seed, 0.4, 0.95)};
    const double p = c.first, w = 0, y0[] = {0, 1};
    const brink_model_def def = {.name = "clock",
                                 .modes = modes,
                                 .n_modes = 2,
                                 .p = &p,
                                 .n_p = 1,
                                 .w = &w,
                                 .n_w = 1,
                                 .user = &c};
    int events = 40 + below(&seed, 60);
    double t_end = c.first, last = 0;
    for (int k = 0; k < events; k++)
      t_end += last = gap_number(&c, k);
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[below(&seed, METHODS)];
    rig r = rig_new(&def, &opt, 0, 0, y0);
    brink_status rc = brink_sim_run(r.sim, t_end - 0.5 * last);
    if (rc != BRINK_END || brink_sim_w(r.sim)[0] != events)
      print_error(
          "kind %d, %s: %s, %g events, not %d; first %g, gap %g, ratio %g\n%s\n",
          c.kind, opt.method, brink_status_name(rc), brink_sim_w(r.sim)[0], events,
          c.first, c.gap, c.ratio, brink_sim_error(r.sim)->text);
    check_status(rc, BRINK_END);
    check_near(brink_sim_w(r.sim)[0], events, 0);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------ contracting --- */

/* Gaps that converge onto a guard which moves on by itself: without the jumps that
 * rounding hides it would not be passed. */
static void gaps_that_contract_onto_a_moving_guard_end_the_run(void **state)
{
  uint64_t seed = 16;

  (void)state;
  for (int i = 0; i < 40; i++) {
    char text[1000], why[256];
    brink_status rc;
    double w = rand_in(&seed, 2, 20), keeps = rand_in(&seed, 0.1, 0.8);
    snprintf(text, sizeof text,
             "model W\n  Real x(start = %.17g, fixed = true);\n"
             "  Integer n(start = 0, fixed = true);\nequation\n  der(x) = %.3g*x;\n"
             "  when x < 0.3*sin(%.17g*time) then\n    reinit(x, %.17g*pre(x));\n"
             "    n = pre(n) + 1;\n  end when;\nend W;\n",
             rand_in(&seed, -0.29, -0.1), rand_in(&seed, -0.5, 0), w, keeps);
    run(text, methods[i % METHODS], 20 / w, &rc, why, sizeof why);
    if (rc != BRINK_ZENO)
      print_error("%s: %s\n%s\n", methods[i % METHODS], brink_status_name(rc), text);
    assert_int_equal(rc, BRINK_ZENO);
  }
}

/* ----------------------------------------------------------------- noise --- */

/* What is zero but for rounding, alone and behind loops. */
static void noise_around_zero_makes_no_events(void **state)
{
  static const char *const texts[] = {
      "model N\n  Real x(start = 1), e, q(start = 0, fixed = true);\n"
      "  Integer n(start = 0);\nequation\n  cos(x) = 0.4*time - 0.3;\n"
      "  e = abs(cos(x) - (0.4*time - 0.3));\n  der(q) = e;\n  n = 0;\nend N;\n",
      "model N\n  Real x(start = 0), e, s, q(start = 0, fixed = true);\n"
      "  Integer n(start = 0);\nequation\n  x + 0.5*sin(x) = time - 1;\n"
      "  e = abs(x + 0.5*sin(x) - (time - 1));\n  s = min(x + 0.5*sin(x), time - 1);\n"
      "  der(q) = e + s + (if x + 0.5*sin(x) > time - 1 then 1 else 2);\n  n = 0;\n"
      "end N;\n",
      "model N\n  Real x(start = 0), e, q(start = 0, fixed = true);\n"
      "  Integer n(start = 0);\nequation\n  x + 0.5*sin(x) = 0.01*(time - 1);\n"
      "  e = abs(x + 0.5*sin(x) - 0.01*(time - 1));\n  der(q) = e;\n  n = 0;\nend N;\n",
      "model N\n  Real x[2](start = {1, 1}), e;\n  Integer n(start = 0);\n"
      "  parameter Real A[2, 2] = [2.1, 1; 1, 3.3];\nequation\n"
      "  A*x = {sin(time), cos(time)};\n  e = max(abs(A*x - {sin(time), cos(time)}));\n"
      "  n = 0;\nend N;\n",
      "model N\n  Real x(start = 0, fixed = true), e, q(start = 0, fixed = true);\n"
      "  Integer n(start = 0);\nequation\n  der(x) = 1;\n"
      "  e = abs(sin(x)^2 + cos(x)^2 - 1);\n"
      "  der(q) = e + max(sin(x)^2 + cos(x)^2, 1);\n  n = 0;\nend N;\n",
      "model N\n  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\nequation\n  der(x) = -3*x;\n"
      "  der(y) = -(y + y + y);\n  when {x > y, x < y} then\n    n = pre(n) + 1;\n"
      "  end when;\nend N;\n"};

  (void)state;
  for (size_t c = 0; c < sizeof texts / sizeof texts[0]; c++)
    for (int i = 0; i < METHODS; i++) {
      char why[256];
      brink_status rc;
      double n = run(texts[c], methods[i], 3, &rc, why, sizeof why);
      if (rc != BRINK_END || n != 0)
        print_error("%s: n = %g, %s\n%s", methods[i], n, why, texts[c]);
      check_status(rc, BRINK_END);
      check_near(n, 0, 0);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_does_not_contract_runs_to_its_end),
      cmocka_unit_test(callbacks_that_do_not_contract_run_to_their_end),
      cmocka_unit_test(gaps_that_contract_onto_a_moving_guard_end_the_run),
      cmocka_unit_test(noise_around_zero_makes_no_events),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
