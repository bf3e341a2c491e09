/* Sequences of events that neither contract nor slide run to their end: equal gaps
 * after a long one, gaps that grow or shrink to a limit, clusters, two guards in turn,
 * samples in between, flat guards, contraction that stops, gaps of a few hundred
 * roundings of t, noise around zero; from several start times.  And those that do
 * contract do not.
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

/* Run from t0; the value of n at the end, or NaN. */
static double run(const char *text, const char *method, double t0, double t_end,
                  brink_status *rc, char *why, size_t size)
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
  check_status(brink_sim_start(r.sim, t0, 0, NULL), BRINK_OK);
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

/* Length of gap n: equal ones, growing, clusters of three, down to a limit, like 1/k,
 * slowly down to a limit, geometrically for a while, up and down. */
enum { PLANS = 8 };

static double planned_gap(int kind, double first, double gap, double ratio, int lasts,
                          int n)
{
  switch (kind) {
  case 0: return gap;
  case 1: return gap * pow(1 + 0.1 * ratio, n);
  case 2: return n % 3 == 0 ? first : gap;
  case 3: return gap + first * pow(0.7, n);
  case 4: return gap / (n + 1);
  case 5: return gap * (1 + 1.0 / (n + 1));
  case 6: return gap * pow(ratio, n < lasts ? n : lasts);
  default: return n % 2 ? gap : gap * ratio;
  }
}

/* The same as text. */
static void say_gap(int kind, double first, double gap, double ratio, int lasts,
                    char *out, size_t size)
{
  const char *n = "pre(n)";

  switch (kind) {
  case 0: snprintf(out, size, "%.17g", gap); break;
  case 1: snprintf(out, size, "%.17g*%.17g^%s", gap, 1 + 0.1 * ratio, n); break;
  case 2:
    snprintf(out, size, "(if mod(%s, 3) == 0 then %.17g else %.17g)", n, first, gap);
    break;
  case 3: snprintf(out, size, "%.17g + %.17g*0.7^%s", gap, first, n); break;
  case 4: snprintf(out, size, "%.17g/(%s + 1)", gap, n); break;
  case 5: snprintf(out, size, "%.17g*(1 + 1.0/(%s + 1))", gap, n); break;
  case 6: snprintf(out, size, "%.17g*%.17g^min(%s, %d)", gap, ratio, n, lasts); break;
  default:
    snprintf(out, size, "(if mod(%s, 2) == 1 then %.17g else %.17g)", n, gap,
             gap * ratio);
  }
}

/* Gaps are longer than so many roundings of t: a thousand rounding bounds of a guard
 * count as rounding where short gaps repeat (hybrid/zeno.c). */
static const double ROUNDINGS = 0x1p15 * 0x1p-52;

/* The guard x > next, where next moves on by a gap, so many times; z makes the event
 * act. */
static double planned_gaps(uint64_t *seed, double t0, char *text, size_t size,
                           double *t_end)
{
  double first = decades(seed, -1, 1), ratio = decades(seed, -0.7, -0.02),
         least = ROUNDINGS * fmax(1, fabs(t0) + first), gap = decades(seed, -7, -1);
  int kind = below(seed, PLANS), events = 40 + below(seed, 160), n = 0,
      lasts = 5 + below(seed, 30);
  char next[200];

  if (below(seed, 4) == 0)
    gap = least * decades(seed, 0.1, 1);
  if (kind == 6) {
    gap = fmax(gap, 1e-2);
    lasts = (int)fmin(lasts, log(least / gap) / log(ratio));
  }
  if (kind == 4 || kind == 7)
    gap = fmax(gap, least * events);
  say_gap(kind, first, gap, ratio, lasts, next, sizeof next);
  snprintf(
      text, size,
      "model G\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "  discrete Real level(start = %.17g, fixed = true);\nequation\n"
      "  der(x) = 1;\n  der(z) = -z;\n  when x > pre(level) then\n    n = pre(n) + 1;\n"
      "    level = if n < %d then pre(level) + %s else 1e9;\n    reinit(z, 1);\n"
      "  end when;\nend G;\n",
      first, events, next);

  double level = first;
  for (; n < events; n++)
    level += planned_gap(kind, first, gap, ratio, lasts, n);
  *t_end = t0 + level + 0.3;
  return n;
}

/* Gaps that contract until a counter stops the event, and nothing afterwards. */
static double counted_out(uint64_t *seed, double t0, char *text, size_t size,
                          double *t_end)
{
  double gap = decades(seed, -1, 0.5), ratio = rand_in(seed, 0.2, 0.9),
         least = ROUNDINGS * fmax(1, fabs(t0) + 10 * gap);
  int most = (int)(log(least / gap) / log(ratio)), n = 4 + below(seed, 60);

  n = n < most ? n : most;
  snprintf(text, size,
           "model C\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
           "  Integer n(start = 0, fixed = true);\n"
           "  discrete Real level(start = %.17g, fixed = true);\nequation\n"
           "  der(x) = 1;\n  der(z) = -z;\n  when x > pre(level) and pre(n) < %d then\n"
           "    n = pre(n) + 1;\n    level = pre(level) + %.17g*%.17g^pre(n);\n"
           "    reinit(z, 1);\n  end when;\nend C;\n",
           gap, n, gap, ratio);
  *t_end = t0 + gap + gap / (1 - ratio) + 1;
  return n;
}

/* Three events follow each sample, at distances that differ from time to time. */
static double after_samples(uint64_t *seed, double t0, char *text, size_t size,
                            double *t_end)
{
  double every = decades(seed, -1, 0.5), apart = every * decades(seed, -6, -1);
  int samples = 15 + below(seed, 30);

  snprintf(text, size,
           "model S\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
           "  Integer n(start = 0, fixed = true), left(start = 0, fixed = true);\n"
           "  discrete Real level(start = 1e9, fixed = true);\nequation\n"
           "  der(x) = 1;\n  der(z) = -z;\n"
           "  when {sample(%.17g, %.17g), x > pre(level)} then\n"
           "    left = if x > pre(level) then pre(left) - 1 else 3;\n"
           "    n = if x > pre(level) then pre(n) + 1 else pre(n);\n"
           "    level = if left > 0 then x + %.17g*left else 1e9;\n"
           "    reinit(z, 1);\n  end when;\nend S;\n",
           t0 + every, every, apart / 2);
  *t_end = t0 + (samples + 0.7) * every;
  return 3 * samples;
}

/* A flat guard that swings, faster than its first gap: (x - level) is an odd power. */
static double flat_swings(uint64_t *seed, double t0, char *text, size_t size,
                          double *t_end)
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
  *t_end = t0 + first + (n - 0.5) * 2 * 3.14159265358979 / w;
  return n;
}

/* Two guards in turn, and samples between them. */
static double in_turn(uint64_t *seed, double t0, char *text, size_t size, double *t_end)
{
  double v = decades(seed, 0, 3), every = decades(seed, -2, 0);
  int n = 40 + below(seed, 100);

  snprintf(
      text, size,
      "model T\n  Real x(start = -5, fixed = true), v(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = 0;\n  when {x > 1, x < 0} then\n"
      "    n = pre(n) + 1;\n    reinit(v, if x > 0.5 then %.17g else %.17g);\n"
      "  end when;\n  when sample(%.17g, %.17g) then\n    k = pre(k) + 1;\n"
      "  end when;\nend T;\n",
      -v, v, t0 + 0.1, every);
  *t_end = t0 + 6 + (n - 1 + 0.5) / v;
  return n;
}

/* An elastic ball: equal gaps, far shorter than the way from the start. */
static double elastic(uint64_t *seed, double t0, char *text, size_t size, double *t_end)
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
  *t_end = t0 + fall + (n - 1 + 0.5) * 2 * fall;
  return n;
}

/* A ball that loses speed until the model says otherwise: a counter, a speed, a time.
 */
static double contraction_that_stops(uint64_t *seed, double t0, char *text, size_t size,
                                     double *t_end)
{
  double e = rand_in(seed, 0.4, 0.93), v = sqrt(2 * 9.81), t = v / 9.81;
  /* the flights that are left are resolved by t */
  double least = fabs(t0) > 100 ? 1e-4 : 1e-6;
  int stops = 8 + below(seed, (int)(log(least) / log(e)) - 8);
  int n = stops + 20 + below(seed, 40), how = below(seed, 3);
  double speed = v * pow(e, stops - 0.5),
         when = t + 2 * t * e * (1 - pow(e, stops - 0.5)) / (1 - e);
  static const char *const conditions[] = {"pre(n) < %.0f", "-pre(v) > %.17g",
                                           "time < %.17g"};
  char condition[60];

  snprintf(condition, sizeof condition, conditions[how],
           how == 0   ? (double)stops
           : how == 1 ? speed
                      : t0 + when);
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
  *t_end = t0 + t - v / 9.81;
  return n;
}

/* The same gaps for two guards in turn: filling one of two tanks from above and below.
 */
static double tanks_that_last(uint64_t *seed, double t0, char *text, size_t size,
                              double *t_end)
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
  *t_end = t0 + t + 0.5 * ((n % 2 ? x : y) - low);
  return n;
}

static void what_does_not_contract_runs_to_its_end(void **state)
{
  typedef double make_fn(uint64_t *, double, char *, size_t, double *);
  static make_fn *const makers[] = {
      planned_gaps,           flat_swings,     in_turn,     elastic,
      contraction_that_stops, tanks_that_last, counted_out, after_samples};
  static const char *const names[] = {"planned", "flat",  "in turn", "elastic",
                                      "stops",   "tanks", "counted", "samples"};
  static const double starts[] = {0, 0, 0.37, -2.6, 1e5 + 0.37};
  enum { MAKERS = sizeof makers / sizeof makers[0] };
  int n = (int)random_cases("BRINK_CASES", CASES), wrong = 0;
  uint64_t seed = 15;

  (void)state;
  for (int i = 0; i < n; i++) {
    char text[2000], why[256];
    double t_end;
    brink_status rc;
    double t0 = starts[below(&seed, sizeof starts / sizeof starts[0])];
    double want = makers[i % MAKERS](&seed, t0, text, sizeof text, &t_end);
    const char *method = methods[below(&seed, METHODS)];
    double got = run(text, method, t0, t_end, &rc, why, sizeof why);
    if (rc == BRINK_END && got == want)
      continue;
    print_error("%s, %s: %s, n = %g, not %g, from %.17g to %.17g\n%s\n%s\n",
                names[i % MAKERS], method, brink_status_name(rc), got, want, t0, t_end,
                why, text);
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
  int n = (int)random_cases("BRINK_CASES", CASES);
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
    run(text, methods[i % METHODS], 0, 20 / w, &rc, why, sizeof why);
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
      double n = run(texts[c], methods[i], 0, 3, &rc, why, sizeof why);
      if (rc != BRINK_END || n != 0)
        print_error("%s: n = %g, %s\n%s", methods[i], n, why, texts[c]);
      check_status(rc, BRINK_END);
      check_near(n, 0, 0);
    }
}

/* Gaps like 1/k, of a reset that moves its guard back by a part of the speed, and like
 * k^(-7/3), of a restitution that tends to 1, are worth a word after so many events;
 * equal gaps, and those of a frequency that grows in proportion to time, are none. */
static void events_that_crowd_are_said_to(void **state)
{
  static const struct {
    const char *text, *name; /* NULL: there is nothing to say */
  } models[] = {
      {"model P\n  Real phi(start = 0.5, fixed = true), w(start = 0, fixed = true);\n"
       "equation\n  der(phi) = w;\n  der(w) = -9.81*sin(phi) - 0.2*w;\n"
       "  when phi + 0.05*w < 0.1 then\n    reinit(w, 0.9*pre(w));\n  end when;\n"
       "end P;\n",
       "'phi + 0.05*w < 0.1 (line 6)'"},
      {"model B\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
       "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h < 0 then\n"
       "    reinit(v, -pre(v)*(1 - 0.3*(-pre(v))^0.75));\n  end when;\nend B;\n",
       "'h < 0 (line 6)'"},
      {"model E\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
       "  when x > 1e-4 then\n    reinit(x, 0);\n  end when;\nend E;\n",
       NULL},
      {"model C\n  Real x(start = 0, fixed = true), r(start = 1, fixed = true);\n"
       "equation\n  der(x) = r;\n  der(r) = 1e3;\n  when x > 1e-4 then\n"
       "    reinit(x, 0);\n  end when;\nend C;\n",
       NULL}};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.max_events = 135000;
    opt.keep = BRINK_KEEP_NOTHING;
    rig r = rig_text(models[i].text, &opt, 0.37);
    check_status(brink_sim_run(r.sim, 1e3), BRINK_LIMIT);
    assert_int_equal(rig_warns(&r, "ever closer"), models[i].name != NULL);
    if (models[i].name)
      assert_true(rig_warns(&r, models[i].name));
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_does_not_contract_runs_to_its_end),
      cmocka_unit_test(callbacks_that_do_not_contract_run_to_their_end),
      cmocka_unit_test(gaps_that_contract_onto_a_moving_guard_end_the_run),
      cmocka_unit_test(noise_around_zero_makes_no_events),
      cmocka_unit_test(events_that_crowd_are_said_to),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
