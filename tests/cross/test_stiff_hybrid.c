/* Random stiff systems with events: every event is found where it is, and no other.
 *
 * The law is x' = A (x - p(t)) + p'(t) with a planted p and a matrix A = V D V^-1 whose
 * rates D lie between -2 and -1e8; so each solution is p + V exp(D (t - s)) w, with w
 * known after each event, and the times of events follow from it to rounding.  Guards
 * look at mixtures of fast and slow variables; the resets excite the fast ones, so that
 * a guard may be crossed within a transient of 1e-8.
 *
 * The environment variable BRINK_STIFF_HYBRID is the number of systems,
 * BRINK_STIFF_FIRST the number of the first one, BRINK_STIFF_METHOD one method;
 * BRINK_STIFF_SHOW prints each system. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"
#include "ode/method.h"

enum { DEFAULT_COUNT = 20, STATES = 5, GUARDS = 3, EVENTS = 12 };

static const double SPAN = 3, RTOL = 1e-7;

/* An event may be late by this many tolerances over the speed of its guard, and the end
 * be wrong by as many: one for the error of a step, the others for errors that add up.
 * In a thousand systems radau is at most 3.5 late, and 0.5 in all but four; the BDF of
 * cvode adds up a hundred in ten of them, as CVODE does. */
static const double LATE = 400, LATE_RADAU = 50;

/* Guards that come nearer to zero than this without crossing it, or cross it more
 * slowly than that, tell nothing: the error of the run decides. */
static const double NEAR_MISS = 5e-3, SLOW_CROSSING = 0.1;

typedef struct system {
  uint64_t seed;
  int n, n_guards;
  double t0;
  double v[STATES][STATES]; /* columns: directions of the rates ...                */
  double rate[STATES];
  double a[STATES][STATES]; /* ... and the matrix of both                         */
  double wave[STATES][3];   /* p_i = a sin(w t + phi)                             */
  double w0[STATES];        /* x - p at the start, in directions                  */
  double c[GUARDS][STATES]; /* guard: c x - level, from below                     */
  double level[GUARDS];
  double kick[GUARDS][STATES]; /* what its reset adds to x ...                       */
  double push[GUARDS][STATES]; /* ... in directions                                  */
  int n_events;
  double time[EVENTS], speed[EVENTS];
  int guard[EVENTS];
  double end[STATES]; /* x at the end */
  char text[16384];
  size_t used;
} system_;

/* ---------------------------------------------------- the exact solution --- */

static double planted(const system_ *s, int i, int k, double t)
{
  static const double quarter = 1.57079632679489661923;
  const double *w = s->wave[i];

  return w[0] * pow(w[1], k) * sin(w[1] * t + w[2] + k * quarter);
}

/* State i and its derivative at t_r + tau, after w at t_r. */
static double exact(const system_ *s, int i, double tr, double tau, const double *w,
                    int k)
{
  double x = planted(s, i, k, tr + tau);

  for (int j = 0; j < s->n; j++)
    x += s->v[i][j] * (k ? s->rate[j] : 1) * exp(s->rate[j] * tau) * w[j];
  return x;
}

static double guard(const system_ *s, int g, double tr, double tau, const double *w,
                    int k)
{
  double sum = k ? 0 : -s->level[g];

  for (int i = 0; i < s->n; i++)
    sum += s->c[g][i] == 0 ? 0 : s->c[g][i] * exact(s, i, tr, tau, w, k);
  return sum;
}

/* Times after a restart at which guards are looked at: dense where transients are. */
static int grid(double *tau, double left)
{
  enum { PER_DECADE = 150, DECADES = 12, EVEN = 1500 };
  int n = 0;

  tau[n++] = 0;
  for (int i = 0; i < PER_DECADE * DECADES; i++) {
    double at = pow(10, -DECADES + (double)i / PER_DECADE);
    if (at < left / EVEN)
      tau[n++] = at;
  }
  for (int i = 1; i <= EVEN; i++)
    tau[n++] = left * i / EVEN;
  return n;
}

enum { GRID = 4000 };

/* The first rise of guard g through zero after a restart; its time in *tau, infinite if
 * there is none.  0: it cannot be told from a near miss. */
static int first_rise(const system_ *s, int g, double tr, const double *w,
                      const double *at, int n, double *out)
{
  double before = guard(s, g, tr, 0, w, 0), last = before;

  *out = HUGE_VAL;
  if (fabs(last) < NEAR_MISS)
    return 0;
  for (int i = 1; i < n; i++) {
    double now = guard(s, g, tr, at[i], w, 0);
    int turned = i > 1 && (last - before) * (now - last) < 0;
    if (turned && fabs(last) < NEAR_MISS)
      return 0;
    if (last < 0 && now >= 0) {
      double lo = at[i - 1], hi = at[i];
      for (int k = 0; k < 200 && lo < hi; k++) {
        double mid = lo + (hi - lo) / 2;
        if (mid == lo || mid == hi)
          break;
        if (guard(s, g, tr, mid, w, 0) < 0)
          lo = mid;
        else
          hi = mid;
      }
      *out = hi;
      return guard(s, g, tr, hi, w, 1) > SLOW_CROSSING;
    }
    before = last;
    last = now;
  }
  return fabs(last) > NEAR_MISS;
}

/* The reset of guard g at tau after tr: w at the new restart.  0: it makes another
 * guard rise, or leaves one where its sign is not clear. */
static int reset(const system_ *s, int g, double tr, double tau, double *w)
{
  double sign[GUARDS];

  for (int k = 0; k < s->n_guards; k++)
    sign[k] = k == g ? 1 : guard(s, k, tr, tau, w, 0);
  for (int j = 0; j < s->n; j++)
    w[j] = exp(s->rate[j] * tau) * w[j] + s->push[g][j];
  for (int k = 0; k < s->n_guards; k++) {
    double now = guard(s, k, tr + tau, 0, w, 0);
    if (fabs(now) < NEAR_MISS || (sign[k] < 0 && now > 0))
      return 0;
  }
  return 1;
}

/* All events.  0: they are no good test. */
static int solve(system_ *s)
{
  static double at[GRID];
  double w[STATES], tr = s->t0;

  memcpy(w, s->w0, sizeof w);
  s->n_events = 0;
  for (;;) {
    double first = HUGE_VAL, tau;
    int who = -1, n = grid(at, s->t0 + SPAN - tr);
    for (int g = 0; g < s->n_guards; g++) {
      if (!first_rise(s, g, tr, w, at, n, &tau))
        return 0;
      if (tau < HUGE_VAL && fabs(tau - first) < 1e-3 * tau)
        return 0; /* two at nearly one time */
      if (tau < first) {
        first = tau;
        who = g;
      }
    }
    if (who < 0)
      break;
    if (s->n_events == EVENTS)
      return 0;
    s->time[s->n_events] = tr + first;
    s->speed[s->n_events] = guard(s, who, tr, first, w, 1);
    s->guard[s->n_events++] = who;
    if (!reset(s, who, tr, first, w))
      return 0;
    tr += first;
  }
  for (int i = 0; i < s->n; i++)
    s->end[i] = exact(s, i, tr, s->t0 + SPAN - tr, w, 0);
  return s->n_events > 0;
}

/* --------------------------------------------------------------- making --- */

static void say(system_ *s, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  s->used +=
      (size_t)vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
  va_end(args);
  assert_true(s->used < sizeof s->text);
}

static int below(system_ *s, int n) { return (int)(rand_01(&s->seed) * n); }

/* The inverse of a small matrix, by Gauss-Jordan with pivots. */
static void invert(int n, const double v[STATES][STATES], double out[STATES][STATES])
{
  double m[STATES][2 * STATES] = {{0}};

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      m[i][j] = v[i][j];
    m[i][n + i] = 1;
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      best = fabs(m[i][k]) > fabs(m[best][k]) ? i : best;
    for (int j = 0; j < 2 * n; j++) {
      double swap = m[k][j];
      m[k][j] = m[best][j];
      m[best][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      double by = m[i][k] / m[k][k];
      for (int j = 0; i != k && j < 2 * n; j++)
        m[i][j] -= by * m[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = m[i][n + j] / m[i][i];
}

/* Rates, directions, the matrix of both, and the resets in directions. */
static void make_law(system_ *s)
{
  double inverse[STATES][STATES];
  int fast = 1 + below(s, 2);
  double stiffness = pow(10, rand_in(&s->seed, 2, 8));

  for (int j = 0; j < s->n; j++) {
    s->rate[j] = -rand_in(&s->seed, 0.3, 2);
    if (j < fast && j < s->n)
      s->rate[j] = -stiffness * rand_in(&s->seed, 0.4, 1);
    for (int i = 0; i < s->n; i++)
      s->v[i][j] = i == j ? 1 : rand_in(&s->seed, -0.4, 0.4);
  }
  invert(s->n, (const double(*)[STATES])s->v, inverse);
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++) {
      s->a[i][j] = 0;
      for (int k = 0; k < s->n; k++)
        s->a[i][j] += s->v[i][k] * s->rate[k] * inverse[k][j];
    }
  for (int i = 0; i < s->n; i++) {
    s->wave[i][0] = rand_in(&s->seed, 0.4, 1.2);
    s->wave[i][1] = rand_in(&s->seed, 0.6, 4);
    s->wave[i][2] = rand_in(&s->seed, -3, 3);
    s->w0[i] = rand_in(&s->seed, -1, 1);
  }
  for (int g = 0; g < s->n_guards; g++)
    for (int i = 0; i < s->n; i++) {
      s->push[g][i] = 0;
      for (int k = 0; k < s->n; k++)
        s->push[g][i] += inverse[i][k] * s->kick[g][k];
    }
}

static void make_guards(system_ *s)
{
  s->n_guards = 1 + below(s, GUARDS);
  for (int g = 0; g < s->n_guards; g++) {
    int one = below(s, s->n), mixed = below(s, 2);
    for (int i = 0; i < s->n; i++) {
      s->c[g][i] = mixed ? rand_in(&s->seed, -1, 1) : i == one;
      s->kick[g][i] = below(s, 2) ? rand_in(&s->seed, -0.8, 0.8) : 0;
    }
    s->level[g] = rand_in(&s->seed, -0.6, 0.6);
  }
}

static void make_text(system_ *s)
{
  s->used = 0;
  say(s, "model S\n  // rates:");
  for (int j = 0; j < s->n; j++)
    say(s, " %.6g", s->rate[j]);
  say(s, "\n  Real x[%d](start = {", s->n);
  for (int i = 0; i < s->n; i++)
    say(s, "%s%.17g", i ? ", " : "", exact(s, i, s->t0, 0, s->w0, 0));
  say(s, "}, each fixed = true), p[%d];\nequation\n", s->n);
  for (int i = 0; i < s->n; i++) {
    const double *w = s->wave[i];
    say(s, "  p[%d] = (%.17g)*sin(%.17g*time + (%.17g));\n", i + 1, w[0], w[1], w[2]);
    say(s, "  der(x[%d]) = (%.17g)*cos(%.17g*time + (%.17g))", i + 1, w[0] * w[1], w[1],
        w[2]);
    for (int j = 0; j < s->n; j++)
      say(s, " + (%.17g)*(x[%d] - p[%d])", s->a[i][j], j + 1, j + 1);
    say(s, ";\n");
  }
  for (int g = 0; g < s->n_guards; g++) {
    say(s, "  when 0");
    for (int i = 0; i < s->n; i++)
      if (s->c[g][i] != 0)
        say(s, " + (%.17g)*x[%d]", s->c[g][i], i + 1);
    say(s, " > %.17g then\n", s->level[g]);
    for (int i = 0; i < s->n; i++)
      if (s->kick[g][i] != 0)
        say(s, "    reinit(x[%d], pre(x[%d]) + (%.17g));\n", i + 1, i + 1,
            s->kick[g][i]);
    say(s, "  end when;\n");
  }
  say(s, "  annotation(experiment(StartTime = %.17g, StopTime = %.17g));\nend S;\n",
      s->t0, s->t0 + SPAN);
}

static int any_kick(const system_ *s, int g)
{
  for (int i = 0; i < s->n; i++)
    if (s->kick[g][i] != 0)
      return 1;
  return 0;
}

static void make(system_ *s, uint64_t number)
{
  uint64_t seed = 0xd1342543de82ef95u * (number + 1); /* not the stride of rand_u64 */
  int good = 0;

  while (!good) {
    *s = (system_){.seed = rand_u64(&seed)};
    s->n = 2 + below(s, STATES - 1);
    s->t0 = rand_in(&s->seed, -2, 2);
    make_guards(s);
    make_law(s);
    good = 1;
    for (int g = 0; g < s->n_guards; g++)
      good &= any_kick(s, g);
    good = good && solve(s);
  }
  make_text(s);
}

/* -------------------------------------------------------------- running --- */

typedef struct outcome {
  int events;
  double late, error; /* in tolerances */
  long steps;
  char why[BRINK_ERR_TEXT];
} outcome;

static void compare(const system_ *s, brink_sim *sim, outcome *out)
{
  const brink_trace *trace = brink_sim_trace(sim);
  char name[32];
  double got, last = 0;

  for (size_t i = 0; i < brink_trace_events(trace); i++) {
    brink_event e = brink_trace_event(trace, i);
    if (e.kind == BRINK_KIND_TOUCH)
      continue;
    int k = out->events++;
    if (k >= s->n_events)
      continue;
    /* where a transient is crossed, it began as late as the event before */
    double shift = e.t - s->time[k], off = fmin(fabs(shift), fabs(shift - last));
    off = fmax(0, off - 0x1p-50 * fabs(e.t));
    out->late = fmax(out->late, off * s->speed[k] / RTOL);
    last = shift;
  }
  for (int i = 0; i < s->n; i++) {
    snprintf(name, sizeof name, "x[%d]", i + 1);
    check_status(brink_sim_get(sim, name, &got), BRINK_OK);
    out->error = fmax(out->error, fabs(got - s->end[i]) / RTOL);
  }
  out->steps = brink_sim_statistics(sim).work.steps;
}

static void run(const system_ *s, const char *method, outcome *out)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  *out = (outcome){0};
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  opt.method = method;
  opt.rtol = opt.atol = RTOL;
  opt.max_steps = 50000; /* what an explicit method needs is up to 1e8 */
  opt.h_max = SPAN / 20;
  brink_status rc = brink_model_read(ctx, "s.mo", s->text, s->used, NULL, &model);
  if (rc == BRINK_OK)
    rc = brink_sim_new(ctx, model, &opt, &sim);
  if (rc < 0)
    snprintf(out->why, sizeof out->why, "%s", brink_ctx_error(ctx)->text);
  else if ((rc = brink_sim_start(sim, s->t0, 0, NULL)) < 0 ||
           (rc = brink_sim_run(sim, s->t0 + SPAN)) != BRINK_END)
    snprintf(out->why, sizeof out->why, "status %d, %.400s", (int)rc,
             brink_sim_error(sim)->text);
  else
    compare(s, sim, out);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static int is_wrong(const system_ *s, const char *method, const outcome *out)
{
  double most = strcmp(method, "radau") == 0 ? LATE_RADAU : LATE;

  return out->why[0] || out->events != s->n_events || out->late > most ||
         out->error > most;
}

static void report(const system_ *s, long i, const char *method, const outcome *out)
{
  print_message("system %ld, %s: %d events of %d, late %.3g, error %.3g tolerances, "
                "%ld steps %s\n",
                i, method, out->events, s->n_events, out->late, out->error, out->steps,
                out->why);
}

static void every_event_is_found(void **state)
{
  static system_ s;
  static const char *const all[] = {"radau", "cvode", "auto"};
  const char *only = getenv("BRINK_STIFF_METHOD");
  long count = random_cases("BRINK_STIFF_HYBRID", DEFAULT_COUNT),
       first = asked_number("BRINK_STIFF_FIRST", 0), failed = 0, events = 0;
  double late = 0, error = 0;

  (void)state;
  for (long i = first; i < first + count; i++) {
    make(&s, (uint64_t)i);
    if (getenv("BRINK_STIFF_SHOW"))
      puts(s.text); /* longer than what cmocka prints */
    for (int m = 0; m < (only ? 1 : 3); m++) {
      outcome out;
      const char *method = only ? only : all[m];
      if (brink__method_find(method)->needs)
        continue; /* brink was built without it */
      run(&s, method, &out);
      int wrong = is_wrong(&s, method, &out);
      if (wrong || getenv("BRINK_STIFF_SHOW"))
        report(&s, i, method, &out);
      for (int k = 0; getenv("BRINK_STIFF_SHOW") && k < s.n_events; k++)
        print_message("%.17g guard %d speed %.3g\n", s.time[k], s.guard[k] + 1,
                      s.speed[k]);
      failed += wrong;
      events += out.events;
      late = fmax(late, out.late);
      error = fmax(error, out.error);
    }
  }
  print_message("%ld systems, %ld events: at most %.3g tolerances late, %.3g wrong at "
                "the end, %ld failed\n",
                count, events, late, error, failed);
  assert_int_equal(failed, 0);
}

/* Newton's iteration failed in an attempt before an event, and that counted as f not
 * existing beyond a guard, which fired where it became false. */
static void attempts_that_fail_tell_nothing_about_guards(void **state)
{
  static const long once_wrong[] = {406, 526, 814};
  static system_ s;

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(once_wrong); k++) {
    outcome out;
    make(&s, (uint64_t)once_wrong[k]);
    run(&s, "auto", &out);
    if (is_wrong(&s, "auto", &out))
      report(&s, once_wrong[k], "auto", &out);
    assert_false(is_wrong(&s, "auto", &out));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_event_is_found),
      cmocka_unit_test(attempts_that_fail_tell_nothing_about_guards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
