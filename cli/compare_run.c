/* compare_run.c -- one run of a comparison, and how far it is from the reference.
 *
 * Two sequences of events are the same as long as names and kinds are.  Places that
 * the method found in f itself (kind unguarded) are no part of them: whether they are
 * seen depends on the steps.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- observer --- */

typedef struct watch {
  cmp_row *row;
  brink_sim *sim;
  double *now; /* [n] scratch, reference only */
  size_t n;
  cli_progress progress;
  int no_memory;
} watch;

static int on_event(const brink_event *event, void *user)
{
  watch *w = user;
  cmp_row *row = w->row;

  if (event->kind == BRINK_KIND_UNGUARDED)
    return 0;
  if (row->n_events == row->room) {
    size_t room = row->room ? 2 * row->room : 64;
    cmp_event *more = realloc(row->events, room * sizeof *more);
    if (!more) {
      w->no_memory = 1;
      return 1;
    }
    row->events = more;
    row->room = room;
  }
  row->events[row->n_events++] = (cmp_event){event->t, event->name, event->kind};
  return 0;
}

static void enlarge(watch *w)
{
  for (size_t i = 0; i < w->n; i++)
    w->row->scale[i] = fmax(w->row->scale[i], fabs(w->now[i]));
}

static int on_step(const brink_step *step, double begin, double end, int mode,
                   void *user)
{
  watch *w = user;

  (void)begin, (void)mode;
  cli_progress_show(&w->progress, step->t1, (long)w->row->n_events);
  if (w->row->scale && brink_sim_values_at(w->sim, step, end, w->now) >= 0)
    enlarge(w);
  return cli_signalled();
}

/* ------------------------------------------------------------------ run --- */

static void say_why(cmp_row *row, const brink_err *err)
{
  row->status = err->status < 0 ? err->status : row->status;
  memcpy(row->text, err->text, sizeof row->text);
}

static void start_and_run(cmp_job *job, watch *w)
{
  cmp_row *row = w->row;

  row->status = cli_load_set(&job->ask.load, w->sim);
  if (row->status >= 0)
    row->status = brink_sim_start(w->sim, job->ask.start, 0, NULL);
  if (row->status >= 0) {
    if (row->scale && brink_sim_values(w->sim, w->now) >= 0)
      enlarge(w);
    brink_sim_observe(
        w->sim, &(brink_observer){.on_step = on_step, .on_event = on_event, .user = w});
    row->status = brink_sim_run(w->sim, job->ask.stop);
    if (row->status == BRINK_END || row->status == BRINK_TERMINATED) {
      brink_status rc = brink_sim_finish(w->sim);
      row->status = rc < 0 ? rc : row->status;
    }
    row->stats = brink_sim_statistics(w->sim);
  }
  row->t_end = brink_sim_time(w->sim);
  if (row->status == BRINK_STOPPED)
    snprintf(row->text, sizeof row->text, "interrupted at t = %.9g", row->t_end);
  else if (row->status != BRINK_END)
    say_why(row, brink_sim_error(w->sim));
  if (row->status < 0 || brink_sim_values(w->sim, row->values) < 0) {
    free(row->values);
    row->values = NULL;
  }
}

int cmp_run(cmp_job *job, cmp_row *row, int is_reference, int quiet, const char *label)
{
  watch w = {.row = row, .n = brink_model_variables(job->model)};
  brink_sim_opts opt = cli_ask_sim(&job->ask, job->model, row->method);

  opt.locator = row->locator;
  opt.wishes = 0;
  opt.rtol = row->rtol;
  if (is_reference) {
    opt.gate = 1; /* nothing that f says beyond is a reference */
    opt.atol *= opt.atol > 0 ? row->rtol / job->ask.sim.rtol : 1;
  }
  opt.keep = BRINK_KEEP_NOTHING;
  row->t_end = row->t_off = row->x_off = nan("");
  row->values = calloc(w.n + 1, sizeof *row->values);
  if (is_reference) {
    row->scale = calloc(w.n + 1, sizeof *row->scale);
    w.now = calloc(w.n + 1, sizeof *w.now);
  }
  w.no_memory = !row->values || (is_reference && (!row->scale || !w.now));
  if (!w.no_memory) {
    row->status = brink_sim_new(job->ctx, job->model, &opt, &w.sim);
    if (row->status < 0) {
      say_why(row, brink_ctx_error(job->ctx));
      free(row->values);
      row->values = NULL;
    } else {
      w.progress = cli_progress_of(!quiet, job->ask.start, job->ask.stop);
      w.progress.label = label;
      start_and_run(job, &w);
      cli_progress_end(&w.progress);
    }
  }
  brink_sim_free(w.sim);
  free(w.now);
  return w.no_memory ? -1 : 0;
}

void cmp_drop(cmp_row *row)
{
  free(row->events);
  free(row->values);
  free(row->scale);
}

int cmp_ended(const cmp_row *row)
{
  return row->status > BRINK_OK && row->status != BRINK_STOPPED;
}

/* -------------------------------------------------------------- compare --- */

static int same(const cmp_event *a, const cmp_event *b)
{
  return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

static void compare_events(cmp_row *row, const cmp_row *ref)
{
  size_t n = row->n_events < ref->n_events ? row->n_events : ref->n_events, k = 0;

  for (; k < n && same(&row->events[k], &ref->events[k]); k++)
    row->t_off = fmax(row->t_off, fabs(row->events[k].t - ref->events[k].t));

  /* a run that ended before has no events to miss */
  int missed = ref->n_events > n &&
               (row->status == ref->status || row->t_end > ref->events[n].t);
  if (k < n || row->n_events > n || missed)
    row->differs = k + 1;
}

static void compare_values(cmp_row *row, const cmp_row *ref, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double scale = ref->scale[i] > 0 ? ref->scale[i] : 1;
    double off = fabs(row->values[i] - ref->values[i]) / scale;
    if (!(off <= row->x_off)) {
      row->x_off = off;
      row->x_worst = i;
    }
  }
}

void cmp_against(cmp_row *row, const cmp_row *ref, size_t n_variables)
{
  if (!cmp_ended(ref))
    return;
  compare_events(row, ref);
  if (row->values && ref->values && row->status == ref->status)
    compare_values(row, ref, n_variables);
}
