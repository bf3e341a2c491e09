/* hard_guards.c -- run one of the hard guards, and compare its events with the answer.
 */
#include "papers/hard_guards.h"

#include <math.h>
#include <string.h>

const double hard_guard_rtol = 1e-8;

/* What the tolerance lets a run of tens of steps be off by: a hundred times its local
 * errors. */
static const double GLOBAL_ERROR = 100;

/* The first step to try is this part of the run.  It is that of all steps if the method
 * does not choose them (rk4, whose error is then below the tolerance where f is
 * smooth). */
static const double FIRST = 1.0 / 500;

double hard_guard_allowed(const hard_guard *g)
{
  return GLOBAL_ERROR * hard_guard_rtol / g->rate + g->band;
}

static double event_time(const hard_guard *g, int i)
{
  return g->times[i % g->n] + i / g->n * g->period;
}

/* -------------------------------------------------------------- compare --- */

/* Is it of the kind that the answer is made of? */
static int counts(const hard_guard *g, const brink_event *e)
{
  return g->touch ? 1 : e->kind != BRINK_KIND_TOUCH;
}

/* Which event of the answer lies at t and is still free; -1: none. */
static int match(const hard_guard *g, const char *taken, double t)
{
  for (int i = 0; i < g->n * g->repeats; i++)
    if (!taken[i] && fabs(t - event_time(g, i)) <= hard_guard_allowed(g))
      return i;
  return -1;
}

static void compare_times(const hard_guard *g, const brink_trace *trace,
                          hard_guard_result *out)
{
  char taken[HARD_GUARD_MOST_EVENTS] = {0};

  out->missed = g->n * g->repeats;
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (!counts(g, &e))
      continue;
    int i = match(g, taken, e.t);
    if (i < 0 || (e.kind == BRINK_KIND_TOUCH) != g->touch) {
      out->excess++;
      continue;
    }
    taken[i] = 1;
    out->missed--;
  }
}

/* Do the counters of the model say the same? */
static int same_counts(const hard_guard *g, brink_sim *sim)
{
  static const char *const names[] = {"n", "k"};
  int same = 1;

  for (int i = 0; i < 2; i++) {
    double value;
    if (!isnan(g->counts[i]) &&
        (brink_sim_get(sim, names[i], &value) < 0 || value != g->counts[i]))
      same = 0;
  }
  return same;
}

static hard_guard_verdict verdict(const hard_guard_result *r, int same)
{
  if (r->missed > r->excess)
    return HARD_GUARD_MISSED;
  if (r->excess > r->missed)
    return HARD_GUARD_FALSE;
  return r->missed || !same ? HARD_GUARD_MOVED : HARD_GUARD_FOUND;
}

/* ------------------------------------------------------------------ run --- */

static void run(brink_sim *sim, const hard_guard *g, hard_guard_result *out)
{
  brink_status status = brink_sim_start(sim, g->t0, 0, NULL);

  if (status >= 0)
    status = brink_sim_run(sim, g->t1);
  if (status != BRINK_END)
    out->why = *brink_sim_error(sim);
  out->certificate = brink_sim_statistics(sim).certificate;
  compare_times(g, brink_sim_trace(sim), out);
  out->verdict =
      status != BRINK_END ? HARD_GUARD_ENDED : verdict(out, same_counts(g, sim));
}

int hard_guard_run(brink_ctx *ctx, const hard_guard *g, const hard_guard_way *way,
                   hard_guard_result *out)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  memset(out, 0, sizeof *out);
  opt.method = way->method;
  opt.locator = way->locator;
  opt.rtol = hard_guard_rtol;
  opt.h_max = way->longest * (g->t1 - g->t0);
  opt.h0 = FIRST * (g->t1 - g->t0);
  int bad =
      brink_model_read(ctx, g->name, g->text, strlen(g->text), NULL, &model) < 0 ||
      brink_sim_new(ctx, model, &opt, &sim) < 0;
  if (!bad)
    run(sim, g, out);
  brink_sim_free(sim);
  brink_model_free(model);
  return bad ? -1 : 0;
}
