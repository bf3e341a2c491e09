/* accumulation_reached.c -- events have accumulated where the run stands, as far as can
 * be told.
 *
 * Not every accumulation is extrapolated.  The policy `step` carries out event after
 * event, with first steps bounded by the gaps before (dwell_time.c), until they follow
 * each other within zeno_gap [Donolo02, 3.3].  And by every policy the run may come to
 * where zeno.c says that the next event cannot be told any more: gaps contract too
 * fast or too slowly for a polynomial in them, their times are those of a locator of
 * one guess, or the replay has not done what it should.
 *
 * In both cases the limit is the state that there is, up to what the law does in the
 * time that is left: if the last period took d, and r times the one before, that is
 * d r/(1 - r), as in a geometric sequence.  States that are smaller than that are 0.
 * The error of the time is of the size of d, and so is that of the states which the
 * events reset; the others are those of this time.
 */
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A ratio of periods counts as no more than this: beyond it the ratio itself is
 * rounding, and what is left cannot be said. */
static const double MOST_RATIO = 0.99;

/* What is left counts as accumulated if the last period is no longer than this part of
 * the run: where a locator of one guess has lost a long flight, nothing has. */
static const double SHORT = 0x1p-6;

/* So many periods have contracted, one after the other, where no states were kept. */
enum { CONTRACTED = 3 };

/* A pattern that takes so many times as long as the last flight of the guard whose next
 * return cannot be told has not come to its end; the bounces of that guard have, if the
 * flight was no longer than this part of the run as well. */
static const double PATTERN = 64, BRIEF = 0x1p-20;

/* Between two limits that are told by rounding, so many roundings of t must pass:
 * otherwise the first has not led anywhere, and the verdict stands. */
static const double PROGRESS = 0x1p12;

double brink__zeno_gap(const brink_sim *sim)
{
  double run = sim->t - sim->t_start;

  if (sim->opt.zeno_gap > 0)
    return sim->opt.zeno_gap;
  return (sim->opt.zeno == BRINK_ZENO_STEP ? sim->opt.rtol : sqrt(sim->opt.rtol)) * run;
}

/* The time that is left of a pattern of p occurrences. */
static double time_left(const brink_sim *sim, int p)
{
  const brink__accumulation *a = &sim->accumulation;
  long known = a->n < BRINK__OCCURRENCES ? a->n : BRINK__OCCURRENCES;
  double d = brink__period_gap(a, 0, p), ratio = 0;

  if (2 * p < known && brink__period_gap(a, 1, p) > 0)
    ratio = brink__min(d / brink__period_gap(a, 1, p), MOST_RATIO);
  return d * brink__max(1, ratio / (1 - ratio)) + 4 * DBL_EPSILON * fabs(sim->t);
}

/* Do the events of the last p occurrences reset state k? */
static int is_reset(const brink_sim *sim, int p, size_t k)
{
  const brink__accumulation *a = &sim->accumulation;

  for (int c = 0; c < p; c++) {
    long o = a->n - 1 - c;
    for (int j = 0; j < a->parts[o % BRINK__OCCURRENCES]; j++)
      if (brink__accumulation_row(sim, o, j)[k] !=
          brink__accumulation_row(sim, o, j + 1)[k])
        return 1;
  }
  return 0;
}

/* The state of part j of the c-th last occurrence as its own limit.  f: the law here.
 */
static void own_limit(const brink_sim *sim, const brink__limit *l, int c, int j,
                      const double *f)
{
  const brink__accumulation *a = &sim->accumulation;
  long o = a->n - 1 - c, before = o - l->period;
  const double *y = brink__accumulation_row(sim, o, j),
               *old = before >= a->since ? brink__accumulation_row(sim, before, j) : y;
  double *limit = brink__limit_row(sim, a->y_limit, c, j),
         *error = brink__limit_row(sim, a->y_error, c, j);

  for (size_t k = 0; k < sim->user_model->max_n; k++) {
    double moved = l->gap > 0 ? fabs(y[k] - old[k]) / l->gap : 0;
    error[k] = (fabs(f[k]) + moved) * l->error + 4 * DBL_EPSILON * fabs(y[k]);
    limit[k] = fabs(y[k]) <= error[k] ? 0 : y[k];
    if (!is_reset(sim, l->period, k))
      error[k] = 4 * DBL_EPSILON * fabs(y[k]);
  }
}

int brink__limit_here(brink_sim *sim, int p, brink__limit *l)
{
  brink__accumulation *a = &sim->accumulation;
  const brink_model *m = sim->user_model;
  double *f = a->work;
  brink_err ignored;

  *l = (brink__limit){.period = p,
                      .gap = brink__period_gap(a, 0, p),
                      .t = sim->t,
                      .error = time_left(sim, p)};
  memset(f, 0, m->max_n * sizeof *f);
  if (brink__f(&sim->regime->probe, sim->t, sim->y, f) != BRINK_OK)
    return 0;
  for (int c = 0; c < p; c++)
    for (int j = 0; j <= a->parts[(a->n - 1 - c) % BRINK__OCCURRENCES]; j++)
      own_limit(sim, l, c, j, f);
  return m->ops->live_copy(m, a->copy, sim->live, &ignored) == BRINK_OK;
}

/* Was the last flight of the guard brief, and much shorter than the pattern of p
 * occurrences that there is, if any? */
static int flew_briefly(const brink_sim *sim, int guard, int p)
{
  if (guard < 0 || p == 1)
    return 0;
  double flight = sim->regime->guards.watch[guard].flight;

  return flight > 0 && flight <= BRIEF * (sim->t - sim->t_start) &&
         (p == 0 || PATTERN * flight <= brink__period_gap(&sim->accumulation, 0, p));
}

/* No states were kept, since few events have led here, or none of its own: the pattern
 * is the last event, as the watches of its guards remember it. */
static int last_event(brink_sim *sim, int guard)
{
  brink__accumulation *a = &sim->accumulation;
  const brink__guards *g = &sim->regime->guards;
  int hits = 0;

  if (a->parts_now > 0 || brink__accumulation_memory(sim) < 0)
    return 0;
  a->since = a->n - 1;
  a->parts[a->since % BRINK__OCCURRENCES] = 1;
  a->part_t[a->since % BRINK__OCCURRENCES][0] = sim->t;
  brink__part *part = &a->part[a->since % BRINK__PERIOD][0];
  part->mode = part->mode_after = sim->regime->shown;
  part->at_restart = part->n_fired = 0;
  for (int k = 0; k < g->n; k++) {
    const brink__watch *w = &g->watch[k];
    int dir = !w->fresh && k != guard ? 0 : w->displaced ? w->displaced : w->crossed;
    part->hit[k] = (signed char)((dir > 0) - (dir < 0));
    part->now[k] = part->hit[k] ? part->hit[k] : w->sign;
    part->before[k] = part->hit[k] ? (signed char)-part->hit[k] : w->sign;
    hits += dir != 0;
  }
  for (int j = 0; j < 2; j++)
    brink__copy(brink__accumulation_row(sim, a->since, j), sim->y,
                sim->regime->info->n);
  return hits > 0;
}

/* The shortest pattern whose last period was as the one before, and has its states. */
static int last_pattern(const brink__accumulation *a)
{
  long known = a->n < BRINK__OCCURRENCES ? a->n : BRINK__OCCURRENCES;
  int most = BRINK__PERIOD - (a->parts_now > 0); /* its memory is a ring */

  for (int p = 1; p <= most; p++)
    if (2 * p <= known && a->n - a->since >= p && brink__period_repeats(a, 0, p))
      return p;
  return 0;
}

/* May the run go on from an accumulation that it has come to?  Whoever asks for steps
 * shorter than t can tell wants to see the verdict. */
static int may_go_on(const brink_sim *sim)
{
  const brink__accumulation *a = &sim->accumulation;
  double rounding = DBL_EPSILON * fabs(sim->t);

  return !a->passing && a->n > 2 && !sim->backward && !sim->past_zeno.policy &&
         !(sim->opt.zeno == BRINK_ZENO_STEP && brink__zeno_gap(sim) < rounding) &&
         sim->t > a->t_reached + PROGRESS * rounding;
}

int brink__accumulated(brink_sim *sim, int guard, brink__limit *l)
{
  brink__accumulation *a = &sim->accumulation;

  if (!may_go_on(sim))
    return 0;
  int p = a->since >= 0 ? last_pattern(a) : 0;
  if (flew_briefly(sim, guard, p) ||
      (p == 0 && brink__period_contractions(a, 1) >= CONTRACTED))
    p = last_event(sim, guard);
  if (p == 0 || brink__period_gap(a, 0, p) > p * SHORT * (sim->t - sim->t_start) ||
      !brink__limit_here(sim, p, l))
    return 0;
  a->t_reached = sim->t;
  return 1;
}
