/* accumulation_jump.c -- go to where events accumulate.
 *
 * The model's live object is the one that has carried out all the events on the way
 * (accumulation_check.c), the state the limit: what tends to 0 is 0, and so are the
 * guards.  There the next event of the pattern is carried out: a model that knows what
 * happens to a ball without speed says so.  If it does not, somebody has to hold the
 * guards; if nobody does, and the law leads beyond them, there is no solution that goes
 * on.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Flights are shown until they are this part of the last one that was computed, so many
 * at most; what is left of the time is shown as a straight line. */
static const double SHOWN = 0x1p-20;
enum { FLIGHTS = 2000 };

/* Where the law leads is looked at over these parts of the last gap: far enough for
 * second order to be more than rounding, at least in the first. */
static const double AHEAD[] = {0x1p-2, 0x1p-4, 0x1p-6};

/* The rate of a guard has vanished if this part of it is left: three digits of it are
 * told by the extrapolation. */
static const double VANISHED = 0x1p-10;

/* ------------------------------------------------------------------ steps --- */

/* Show the cubic from y0 with the slope f0 at t0 to y1, f1 at t1.  If the observer
 * stops the run there, it stands at that point. */
static brink_status show(brink_sim *sim, double t0, const double *y0, const double *f0,
                         double t1, const double *y1, const double *f1, double *coeff)
{
  size_t n = sim->regime->info->n;
  double h = t1 - t0;
  brink_step step = {.t0 = t0, .h = h, .t1 = t1, .n = n, .degree = 3, .coeff = coeff};

  if (!(h > 0))
    return BRINK_OK;
  for (size_t i = 0; i < n; i++) {
    double way = y1[i] - y0[i], *c = coeff + 4 * i;
    c[0] = y0[i];
    c[1] = h * f0[i];
    c[2] = 3 * way - h * (2 * f0[i] + f1[i]);
    c[3] = h * (f0[i] + f1[i]) - 2 * way;
  }
  sim->extrapolated = 1;
  brink_status rc = brink__write_step(sim, &step, 0, 1, t1);
  sim->extrapolated = 0;
  if (sim->ended) {
    sim->t = t1;
    sim->last.h = 0;
    brink__copy(sim->y, y1, n);
  }
  return rc;
}

/* The flights of a pattern of one event with one law, from sim->t, y on: cubics with
 * the law's slopes, which are parabolas where it is a constant force. */
static brink_status show_flights(brink_sim *sim, const brink__limit *l, double *t,
                                 double *y)
{
  size_t n = sim->user_model->max_n;
  double *next = y + n, *from = next + n, *to = from + n, *coeff = to + n;
  double d = l->gap;

  for (int i = 0; i < FLIGHTS && d > SHOWN * l->gap && !sim->ended; i++) {
    d = brink__limit_next(sim, l, d);
    double t1 = brink__limit_time(sim, l, d, 0, 0);
    brink__limit_state(sim, l, d, 0, 0, next);
    if (brink__f(&sim->regime->probe, *t, y, from) != BRINK_OK ||
        brink__f(&sim->regime->probe, t1, next, to) != BRINK_OK)
      return BRINK_OK;
    BRINK_TRY(show(sim, *t, y, from, t1, next, to, coeff));
    *t = t1;
    brink__limit_state(sim, l, d, 0, 1, y);
  }
  return BRINK_OK;
}

/* What is shown between the last event and the limit. */
static brink_status show_way(brink_sim *sim, const brink__limit *l, const double *limit)
{
  const brink__accumulation *a = &sim->accumulation;
  size_t n = sim->user_model->max_n;
  double *y = a->work, *slope = y + 2 * n, t = sim->t;

  if (!brink__steps_are_read(sim) || !(l->t > sim->t))
    return BRINK_OK;
  brink__copy(y, sim->y, sim->regime->info->n);
  if (l->period == 1 && a->parts[(a->n - 1) % BRINK__OCCURRENCES] == 1)
    BRINK_TRY(show_flights(sim, l, &t, y));
  if (sim->ended)
    return BRINK_OK;
  for (size_t i = 0; i < sim->regime->info->n; i++)
    slope[i] = (limit[i] - y[i]) / (l->t - t);
  return show(sim, t, y, slope, l->t, limit, slope, y + 4 * n);
}

/* ------------------------------------------------------------------ limit --- */

/* Guards that are a state are exactly on their zeros. */
static void onto_guards(brink_sim *sim, const brink__part *part, double *y)
{
  const brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++)
    if (part->hit[k] && g->info[k].form == BRINK__GUARD_STATE)
      y[g->info[k].state] = g->info[k].level;
}

/* Part number i of the pattern in the order in which its events happen, and its name,
 * that of the event or of the guard that was hit; NULL: past the last. */
static const brink__part *pattern_part(const brink_sim *sim, const brink__limit *l,
                                       int i, const char **name)
{
  const brink__accumulation *a = &sim->accumulation;

  for (long o = a->n - l->period; o < a->n; o++) {
    int n = a->parts[o % BRINK__OCCURRENCES];
    if (i >= n) {
      i -= n;
      continue;
    }
    const brink__part *part = &a->part[o % BRINK__PERIOD][i];
    const brink__mode *info = brink__mode_info(sim, part->mode);
    *name = part->n_fired > 0 ? sim->model->ops->event_name(sim->model, sim->live,
                                                            part->mode, part->event)
                              : "";
    for (int k = info->n_guards - 1; k >= 0 && part->n_fired == 0; k--)
      if (part->hit[k])
        *name = info->guards[k].name;
    return part;
  }
  return NULL;
}

/* dg/dt of guard k of the mode of the part, at y, along the law that holds now; NaN:
 * unknown. */
static double rate_at(brink_sim *sim, const brink__part *part, int k, const double *y)
{
  brink__regime *r = sim->regime;
  double *f = brink__work_row(sim, 1), rate, span = sim->h_last;

  return part->mode == r->shown && span > 0 &&
                 brink__f(&r->probe, sim->t, y, f) == BRINK_OK &&
                 brink__guard_rate(&r->guards, k, sim->t, y, f, span, &rate)
             ? rate
             : nan("");
}

/* The first guard from k on that the part hits; n: there is none of these. */
static int next_hit(const brink__part *part, int k, int n)
{
  while (k < n && !part->hit[k])
    k++;
  return k;
}

/* The rate of the guard that one event hits tends to 0 with the gaps: what is left of
 * it in the extrapolated state, as the length of the flight that it would begin.  0: it
 * does not tend to 0. */
static double flight_left(brink_sim *sim, const brink__limit *l,
                          const brink__part *part)
{
  int n = sim->regime->guards.n, k = next_hit(part, 0, n);

  if (k == n)
    return 0;
  double last = fabs(rate_at(sim, part, k, brink__accumulation_state(sim, 1))),
         here = fabs(rate_at(sim, part, k, sim->y));
  return l->period == 1 && here <= VANISHED * last ? 2 * l->gap * here / last : 0;
}

/* Rates before and after: of one event, those at its last occurrence, since they tend
 * to 0; where several take turns, those at the limit, as far as the law that holds now
 * is one of them. */
static void note_rates(brink_sim *sim, const brink__limit *l, const brink__part *part,
                       int k, int first, int last)
{
  int alone = l->period == 1;

  if (alone || first)
    sim->rates[0] =
        rate_at(sim, part, k, alone ? brink__accumulation_state(sim, 0) : sim->y);
  if (alone || last)
    sim->rates[1] =
        rate_at(sim, part, k, alone ? brink__accumulation_state(sim, 1) : sim->y);
}

/* A limit that was extrapolated has converged; one that was reached was only seen. */
static brink_certificate certificate(const brink__limit *l)
{
  return l->nodes > 0 ? BRINK_CONVERGED : BRINK_SAMPLED;
}

/* Has an earlier part of the pattern a row of this name?  Where one event accumulates,
 * its pattern may have been told by more than one of them. */
static int was_named(const brink_sim *sim, const brink__limit *l, int i,
                     const char *name)
{
  const brink__part *part;
  const char *other;

  while (--i >= 0 && (part = pattern_part(sim, l, i, &other)))
    if (!part->at_restart && strcmp(name, other) == 0)
      return 1;
  return 0;
}

/* The row of one guard, or of the event that it stands for. */
static brink_status log_guard(brink_sim *sim, const brink__limit *l, const char *name)
{
  brink_status rc = brink__log(sim, l->t, sim->y, name, BRINK_KIND_ZENO, 0, 0, l->error,
                               certificate(l));

  sim->rates[0] = sim->rates[1] = nan("");
  return rc;
}

/* An event of kind `zeno` for each event of the pattern; where several guards are hit
 * at once, for each of them. */
static brink_status log_limit(brink_sim *sim, const brink__limit *l)
{
  const brink__part *part, *next;
  const char *name, *ignored;

  for (int i = 0, n = 0; (part = pattern_part(sim, l, i, &name)) && !sim->ended; i++) {
    const brink__mode *info = brink__mode_info(sim, part->mode);
    int first = n == 0, ng = info->n_guards, k = next_hit(part, 0, ng);
    if (part->at_restart || was_named(sim, l, i, name))
      continue;
    n++;
    next = pattern_part(sim, l, i + 1, &ignored);
    int alone = part->n_fired <= 1;
    for (; k < ng && !sim->ended; k = alone ? ng : next_hit(part, k + 1, ng)) {
      note_rates(sim, l, part, k, first, next == NULL);
      BRINK_TRY(log_guard(sim, l, alone ? name : info->guards[k].name));
    }
  }
  return BRINK_OK;
}

/* All events of the pattern, by name; how many names there are. */
static int name_events(const brink_sim *sim, const brink__limit *l, char *names,
                       size_t size)
{
  const brink__part *part;
  const char *name;
  int n = 0;

  names[0] = 0;
  for (int i = 0; (part = pattern_part(sim, l, i, &name)); i++) {
    const brink__mode *info = brink__mode_info(sim, part->mode);
    int ng = info->n_guards, k = next_hit(part, 0, ng), alone = part->n_fired <= 1;
    for (; k < ng && !part->at_restart; k = alone ? ng : next_hit(part, k + 1, ng)) {
      const char *one = alone ? name : info->guards[k].name;
      size_t used = strlen(names);
      if (strstr(names, one))
        continue;
      snprintf(names + used, size - used, "%s'%.60s'", used ? ", " : "", one);
      n++;
    }
  }
  return n;
}

/* The sentence that the run ends at the limit, and why. */
BRINK__COLD static brink_status ends_at(const brink_sim *sim, const brink__limit *l,
                                        const char *why, brink_err *err)
{
  char names[140];
  int n = name_events(sim, l, names, sizeof names);

  return brink__fail_at(
      err, BRINK_ZENO, brink__shown(sim, sim->t),
      "events accumulate at t = %.15g (Zeno): %s fire%s again and again "
      "and time cannot move on; %s",
      brink__shown(sim, sim->t), names, n > 1 ? "" : "s", why);
}

brink_status brink__limit_enter(brink_sim *sim, const brink__limit *l, brink__due *due)
{
  brink__accumulation *a = &sim->accumulation;
  const brink_model *m = sim->user_model;
  size_t n = sim->regime->info->n, ng = (size_t)sim->regime->guards.n;
  int c = l->period - 1, j;
  const brink__part *part = brink__limit_part(sim, l, &j);
  double *y = brink__limit_row(sim, a->y_limit, c, j),
         *error = brink__limit_row(sim, a->y_error, c, j);

  onto_guards(sim, part, y);
  BRINK_TRY(show_way(sim, l, y));
  if (sim->ended)
    return BRINK_EVENT;
  brink__due_here(sim, due);
  brink__fill_bytes(due->hit, 0, ng);
  BRINK_TRY(brink__dissolve(sim, due));
  BRINK_TRY(m->ops->live_copy(m, sim->live, a->copy, &sim->err));
  sim->t = l->t;
  brink__copy(sim->y, y, n);
  sim->last.h = 0;
  BRINK_TRY(brink__accepted(sim, sim->t, sim->y));
  BRINK_TRY(log_limit(sim, l));
  sim->stats.zeno_points++;
  if (sim->opt.zeno == BRINK_ZENO_STOP && !sim->ended)
    sim->ended = ends_at(sim, l, "the policy is to stop there", &sim->err);
  if (sim->ended)
    return BRINK_EVENT;
  brink__due_here(sim, due);
  for (size_t i = 0; i < n; i++)
    due->noise[i] += error[i];
  brink__copy_bytes(due->before, part->before, ng);
  brink__copy_bytes(due->after, part->now, ng);
  brink__copy_bytes(due->hit, part->hit, ng);
  if (sim->opt.zeno >= BRINK_ZENO_REGULARIZE)
    brink__past_zeno_begin(sim, l);
  if (sim->past_zeno.policy || !brink__limit_event(sim, l)) {
    brink__copy_bytes(due->after, part->before, ng);
    brink__fill_bytes(due->hit, 0, ng);
  }
  due->timers = sim->no_timers;
  due->kind = BRINK_KIND_CROSSING;
  due->at_start = 0;
  due->width = brink__max(l->error, flight_left(sim, l, part));
  due->certificate = certificate(l);
  return brink__due_guards(sim, due, sim->t);
}

/* ---------------------------------------------------------------- verdict --- */

/* Which way does guard k go from sim->t, y on?  By a step of the midpoint rule, since
 * the rate of a guard that is held by its jumps is often 0. */
static int way_of(brink_sim *sim, int k, double tau)
{
  brink__regime *r = sim->regime;
  size_t n = r->info->n;
  double *f = brink__work_row(sim, 0), *y = brink__work_row(sim, 1), here, there;
  brink_err ignored;

  if (brink__f(&r->probe, sim->t, sim->y, f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++)
    y[i] = sim->y[i] + 0.5 * tau * f[i];
  if (brink__f(&r->probe, sim->t + 0.5 * tau, y, f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++)
    y[i] = sim->y[i] + tau * f[i];
  if (brink__guard_value(&r->guards, k, sim->t, sim->y, &here, &ignored) < 0 ||
      brink__guard_value(&r->guards, k, sim->t + tau, y, &there, &ignored) < 0)
    return 0;
  return (there > here) - (there < here);
}

/* The directions in which the pattern hits the guards of this mode that nobody holds,
 * to sim->signs. */
static void pattern_hits(const brink_sim *sim, const brink__limit *l)
{
  const brink__accumulation *a = &sim->accumulation;
  const brink__held *held = sim->extended ? sim->extended->active : NULL;
  int ng = sim->regime->guards.n, mode = held ? held->base : sim->mode;

  memset(sim->signs, 0, (size_t)ng);
  /* the event at the limit may have made the record begin anew */
  for (long o = a->n > l->period ? a->n - l->period : 0; o < a->n; o++)
    for (int j = 0; j < a->parts[o % BRINK__OCCURRENCES]; j++) {
      const brink__part *part = &a->part[o % BRINK__PERIOD][j];
      for (int k = 0; k < ng && part->mode == mode && !part->at_restart; k++)
        if (part->hit[k] && !(held && held->held_by[k] >= 0))
          sim->signs[k] = part->hit[k];
    }
}

int brink__limit_stuck(brink_sim *sim, const brink__limit *l, brink__verdict *out)
{
  pattern_hits(sim, l);
  for (int k = 0; k < sim->regime->guards.n; k++) {
    int dir = sim->signs[k];
    int beyond = dir && way_of(sim, k, AHEAD[0] * l->gap) == dir;
    for (size_t i = 1; i < BRINK__COUNT(AHEAD) && beyond; i++)
      beyond = way_of(sim, k, AHEAD[i] * l->gap) != -dir;
    if (!beyond)
      continue;
    if (!sim->past_zeno.policy)
      brink__zeno_remark(sim);
    return ends_at(sim, l,
                   sim->past_zeno.policy == BRINK_ZENO_AVERAGE
                       ? "these are no two laws with one state, which could be averaged"
                       : "give the model a mode for what follows",
                   &out->why);
  }
  return 0;
}
