/* runs.c -- what a run of a model must give; see runs.h. */
#include "runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"
#include "brink/trace.h"

typedef struct probe {
  const expected *e;
  char var[80];
  double t, value, tol;
} probe;

static int by_time(const void *a, const void *b)
{
  double x = ((const probe *)a)->t, y = ((const probe *)b)->t;

  return (x > y) - (x < y);
}

/* a variable at a time; without a tolerance the value is exact */
static int is_probe(const expected *e, probe *p)
{
  int used = 0;

  *p = (probe){.e = e};
  if (e->kind != EXPECT_RUN ||
      sscanf(e->text, "%79[^(](%lf) = %lf%n", p->var, &p->t, &p->value, &used) != 3)
    return 0;
  return e->text[used] == 0 || sscanf(e->text + used, " +- %lf", &p->tol) == 1;
}

static int probes(const script *s, probe *out)
{
  int n = 0;

  for (int i = 0; i < s->n; i++)
    n += is_probe(&s->v[i], &out[n]);
  qsort(out, (size_t)n, sizeof *out, by_time);
  return n;
}

static double value_of(brink_sim *sim, const brink_model *model, const char *name)
{
  size_t n = brink_model_variables(model);
  double *v = calloc(n + 1, sizeof *v), x = (double)NAN;

  check_status(brink_sim_values(sim, v), BRINK_OK);
  for (size_t i = 0; i < n; i++)
    if (strcmp(brink_model_variable(model, i).name, name) == 0)
      x = v[i];
  free(v);
  return x;
}

static int check_probe(brink_sim *sim, const brink_model *model, const char *name,
                       const probe *p)
{
  double got = value_of(sim, model, p->var);

  if (fabs(got - p->value) <= p->tol)
    return 0;
  print_error("%s:%d: %s(%g) is %.17g, not %.17g +- %g\n", name, p->e->line, p->var,
              p->t, got, p->value, p->tol);
  return 1;
}

static int wrong(const char *name, const expected *e, const char *got)
{
  print_error("%s:%d: expected '%s', got %s\n", name, e->line, e->text, got);
  return 1;
}

/* whole; "..." stands for anything */
static int same_sentence(const char *got, const char *want)
{
  const char *gap = strstr(want, "...");

  if (!gap)
    return strcmp(got, want) == 0;
  if (strncmp(got, want, (size_t)(gap - want)) != 0)
    return 0;
  for (got += gap - want;; got++)
    if (same_sentence(got, gap + 3))
      return 1;
    else if (!*got)
      return 0;
}

/* the k-th event that did something, from 1; NaN: there are fewer */
static double event_time(const brink_trace *trace, int k)
{
  for (size_t i = 0; i < brink_trace_events(trace); i++) {
    brink_event e = brink_trace_event(trace, i);
    if (e.kind != BRINK_KIND_TOUCH && --k == 0)
      return e.t;
  }
  return (double)NAN;
}

static int count_events(const brink_trace *trace)
{
  int n = 0;

  for (size_t i = 0; i < brink_trace_events(trace); i++)
    n += brink_trace_event(trace, i).kind != BRINK_KIND_TOUCH;
  return n;
}

static int check_end(const expected *e, brink_sim *sim, brink_status rc,
                     const char *name)
{
  const brink_trace *trace = brink_sim_trace(sim);
  char buf[300], status[60];
  int k, at = 0;
  double t, tol;

  if (sscanf(e->text, "event %d at %lf +- %lf", &k, &t, &tol) == 3) {
    double got = event_time(trace, k);
    snprintf(buf, sizeof buf, "%.17g", got);
    return fabs(got - t) <= tol ? 0 : wrong(name, e, buf);
  }
  if (sscanf(e->text, "events %d", &k) == 1) {
    snprintf(buf, sizeof buf, "%d", count_events(trace));
    return count_events(trace) == k ? 0 : wrong(name, e, buf);
  }
  if (sscanf(e->text, "end %59s at %lf", status, &t) == 2) {
    snprintf(buf, sizeof buf, "%s at %.17g", brink_status_name(rc),
             brink_sim_time(sim));
    return strcmp(brink_status_name(rc), status) == 0 &&
                   fabs(brink_sim_time(sim) - t) <= 1e-8 * (1 + fabs(t))
               ? 0
               : wrong(name, e, buf);
  }
  if (strncmp(e->text, "fails: ", 7) == 0)
    return rc < 0 && same_sentence(brink_sim_error(sim)->text, e->text + 7)
               ? 0
               : wrong(name, e, brink_sim_error(sim)->text);
  if (strncmp(e->text, "says: ", 6) == 0)
    return same_sentence(brink_sim_error(sim)->text, e->text + 6)
               ? 0
               : wrong(name, e, brink_sim_error(sim)->text);
  if (sscanf(e->text, "warns %d: %n", &k, &at) == 1 && at > 0) {
    const char *got = brink_sim_warning(sim, k);
    return got && same_sentence(got, e->text + at) ? 0
                                                   : wrong(name, e, got ? got : "none");
  }
  probe p;
  return is_probe(e, &p) ? 0 : wrong(name, e, "something that is no expectation");
}

static void told(void *user, const char *text, int is_warning)
{
  (void)user;
  if (!is_warning)
    print_error("%s\n", text);
}

static int fails(const script *s)
{
  for (int i = 0; i < s->n; i++)
    if (s->v[i].kind == EXPECT_RUN && (strncmp(s->v[i].text, "fails", 5) == 0 ||
                                       strncmp(s->v[i].text, "end", 3) == 0))
      return 1;
  return 0;
}

/* a run that fails composes its sentence without memory */
static int allocates(const script *s, brink_ctx *ctx, const brink_model *model,
                     const char *name)
{
  brink_sim *sim = NULL;
  brink_sim_opts opt = brink_sim_defaults();

  opt.keep = BRINK_KEEP_NOTHING;
  opt.zeno = BRINK_ZENO_STEP; /* the others take memory once, when gaps contract */
  opt.zeno_gap = 1e-300;      /* down to rounding */
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  brink_status rc = brink_sim_start(sim, 0, 0, NULL); /* regimes take memory once */
  if (rc >= 0)
    brink_sim_run(sim, s->stop);
  size_t before = brink_ctx_alloc_stats(ctx).calls;
  rc = brink_sim_start(sim, 0, 0, NULL);
  if (rc >= 0)
    brink_sim_run(sim, s->stop);
  size_t calls = brink_ctx_alloc_stats(ctx).calls - before;
  if (calls)
    print_error("%s: %zu allocations in a run that fails\n", name, calls);
  brink_sim_free(sim);
  return calls != 0;
}

static int simulate(script *s, brink_ctx *ctx, const brink_model *model,
                    const char *name)
{
  brink_sim *sim = NULL;
  brink_sim_opts opt = brink_sim_defaults();
  probe list[MAX_EXPECTED];
  int n = probes(s, list), bad = 0;

  const char *method = brink_model_experiment(model).method;

  if (method && *method)
    opt.method = method;
  opt.rtol = 1e-10;
  opt.atol = 1e-12;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  brink_status rc = brink_sim_start(sim, 0, 0, NULL);
  for (int i = 0; rc >= 0 && rc != BRINK_TERMINATED && i < n; i++) {
    rc = brink_sim_run(sim, list[i].t);
    bad += check_probe(sim, model, name, &list[i]);
  }
  if (rc >= 0 && rc != BRINK_TERMINATED && s->stop > brink_sim_time(sim))
    rc = brink_sim_run(sim, s->stop);
  if (rc < 0 && !fails(s)) {
    print_error("%s: %s\n", name, brink_sim_error(sim)->text);
    bad++;
  }
  for (int i = 0; i < s->n; i++)
    if (s->v[i].kind == EXPECT_RUN)
      bad += check_end(&s->v[i], sim, rc, name);
  brink_sim_free(sim);
  return fails(s) ? bad + allocates(s, ctx, model, name) : bad;
}

int check_run(script *s, brink_ctx *ctx, const char *name, const char *text, size_t n)
{
  brink_load_opts opt = {
      .size = sizeof opt, .set = s->set, .n_set = s->n_set, .fault = told};
  brink_model *model = NULL;
  int any = 0;

  for (int i = 0; i < s->n; i++)
    any |= s->v[i].kind == EXPECT_RUN;
  if (!any)
    return 0;
  opt.model = s->model[0] ? s->model : NULL;
  if (brink_model_read(ctx, name, text, n, &opt, &model) != BRINK_OK) {
    print_error("%s: %s\n", name, brink_ctx_error(ctx)->text);
    return 1;
  }
  int bad = simulate(s, ctx, model, name);
  brink_model_free(model);
  return bad;
}
