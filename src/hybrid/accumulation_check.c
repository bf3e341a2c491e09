/* accumulation_check.c -- does the model do what an extrapolation expects of it?
 *
 * A sequence that has contracted so far need not go on so: a jump may do otherwise
 * below a certain speed, a counter may end it, a level may stop moving, another guard
 * may come first.  So the periods that are left, down to a rounding of the last, are
 * carried out with the states that the extrapolation gives them, on a copy of the live
 * object.  In each of them
 *
 *   the guards that fire must be on their zeros, and the others keep their signs,
 *   the jumps must lead to the states that were expected, by the same events,
 *   the law must lead from one event to the next (trapezoidal rule).
 *
 * Where guards are held the law is that of the regime as it stands, and the guards that
 * it holds are not looked at.
 *
 * That costs one instant and two evaluations of f for each event that is left.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Periods are tried until they are this part of the last one seen: its rounding. */
static const double DEEPEST = 0x1p-52;

/* So many at most: a ball that keeps 0.99 of its speed needs 3600. */
enum { PERIODS = 5000 };

/* What a jump, or a guard, may be off by, in parts of what is left of it. */
static const double MATCH = 0x1p-8;

/* What a flight may be off by, in parts of its way: more than the trapezoidal rule is
 * where a flight is short enough for the other parts to match. */
static const double FLIGHT = 0.1;

/* Error estimates may be too small by this factor. */
static const double ERRORS = 16;

/* A limit of a state is known if it is uncertain by this part of the way to it, or of
 * the way in a flight, and by no more than what the time may be uncertain by makes of
 * it; or by its tolerance. */
static const double KNOWN = 0x1p-6;

typedef struct trial {
  brink_sim *sim;
  const brink__limit *l;
  int mode;
  double d;              /* length of the period                                     */
  double t, *y;          /* time and state after the instant before                  */
  double *next, *after;  /* [max_n] the state before the next instant, and after it   */
  double *from, *to;     /* [max_n] f at the two ends of a flight                     */
  double *other, *noise; /* [max_n] scratch                                          */
  int number;
} trial;

/* ------------------------------------------------------------------ parts --- */

static const brink__part *part_of(const brink_sim *sim, int c, int j)
{
  const brink__accumulation *a = &sim->accumulation;

  return &a->part[(a->n - 1 - c) % BRINK__PERIOD][j];
}

static int parts_of(const brink_sim *sim, int c)
{
  const brink__accumulation *a = &sim->accumulation;

  return a->parts[(a->n - 1 - c) % BRINK__OCCURRENCES];
}

/* Did time pass before part j of the c-th last occurrence? */
static int moves(const brink_sim *sim, int c, int j)
{
  const brink__accumulation *a = &sim->accumulation;
  long o = a->n - 1 - c;
  double before = j > 0 ? a->part_t[o % BRINK__OCCURRENCES][j - 1]
                        : a->t[(o - 1) % BRINK__OCCURRENCES];

  return a->part_t[o % BRINK__OCCURRENCES][j] > before;
}

const brink__part *brink__limit_part(const brink_sim *sim, const brink__limit *l,
                                     int *j)
{
  int c = l->period - 1, last = parts_of(sim, c) - 1;

  for (*j = 0; *j < last && !moves(sim, c, *j); ++*j)
    ;
  return part_of(sim, c, *j);
}

/* ----------------------------------------------------------------- checks --- */

/* Is guard k held by the regime that runs? */
static int is_held(const brink_sim *sim, int k)
{
  const brink__held *h = sim->extended ? sim->extended->active : NULL;

  return h && h->held_by[k] >= 0;
}

/* The value of guard k at the next instant, and what errors of the state and of the
 * time do to it, beside rounding; error NULL: none.  0: it has none. */
static int guard_at(trial *tr, const brink__part *part, int k, const double *error,
                    double *g, double *noise)
{
  brink_sim *sim = tr->sim;
  const brink_model *m = sim->user_model;
  brink__live *copy = sim->accumulation.copy;
  double t = tr->t, late = error ? tr->l->error : 0, moved;

  for (size_t i = 0; i < m->max_n; i++)
    tr->other[i] = tr->next[i] +
                   ERRORS * ((error ? error[i] : 0) + DBL_EPSILON * fabs(tr->next[i]));
  if (m->ops->guard(m, copy, part->mode, k, t, tr->next, g) != 0 ||
      m->ops->guard(m, copy, part->mode, k, t + late + DBL_EPSILON * fabs(t), tr->other,
                    &moved) != 0)
    return 0;
  *noise = fabs(moved - *g) + DBL_MIN;
  return 1;
}

/* Is guard k, which fires after a flight of this length, on its zero? */
static int on_zero(trial *tr, const brink__part *part, int k, double length, double g,
                   double noise)
{
  const brink_model *m = tr->sim->user_model;
  double part_of_flight = 0.25 * length, before;

  for (size_t i = 0; i < m->max_n; i++)
    tr->other[i] = tr->next[i] - part_of_flight * tr->to[i];
  return m->ops->guard(m, tr->sim->accumulation.copy, part->mode, k,
                       tr->t - part_of_flight, tr->other, &before) == 0 &&
         fabs(g) <= MATCH * fabs(before - g) + noise;
}

/* Does guard k of this mode fire anywhere in the pattern? */
static int fires(const trial *tr, int mode, int k)
{
  for (int c = 0; c < tr->l->period; c++)
    for (int j = 0; j < parts_of(tr->sim, c); j++) {
      const brink__part *part = part_of(tr->sim, c, j);
      if (part->mode == mode && part->hit[k])
        return 1;
    }
  return 0;
}

/* The guards that fire are on their zeros, as far as the extrapolation knows, and those
 * whose turn it is not are not beyond theirs.  Where a guard that takes no part in the
 * pattern is beyond its zero, what the extrapolation does not know is no excuse: a body
 * that comes down to the one that bounces may hit it before the limit, and beyond its
 * guard no event would stop it. */
static int guards_fit(trial *tr, const brink__part *part, const double *error,
                      double length)
{
  int n = brink__mode_info(tr->sim, part->mode)->n_guards;

  for (int k = 0; k < n; k++) {
    double g, noise;
    if (is_held(tr->sim, k))
      continue;
    if (!guard_at(tr, part, k, fires(tr, part->mode, k) ? error : NULL, &g, &noise))
      return 0;
    if (part->hit[k] ? length > 0 && !on_zero(tr, part, k, length, g, noise)
                     : part->before[k] * g < -noise)
      return 0;
  }
  return 1;
}

/* f on the copy, or that of the regime which holds guards; 0: there is none, or it must
 * not be asked. */
static int law(trial *tr, int mode, double t, const double *y, double *f)
{
  const brink_model *m = tr->sim->user_model;
  brink_flow flow;

  if (tr->sim->mode <= BRINK__HELD_MODES) {
    memset(f, 0, m->max_n * sizeof *f);
    return brink__f(&tr->sim->regime->probe, t, y, f) == BRINK_OK;
  }
  m->ops->flow(m, tr->sim->accumulation.copy, mode, &flow);
  for (size_t i = flow.n; i < m->max_n; i++)
    f[i] = 0;
  return !(flow.guarded && !flow.inside(&flow, t, y)) && flow.rhs(&flow, t, y, f) == 0;
}

/* Does the law lead from (t, tr->y) to (tr->t, tr->next)? */
static int flight_fits(trial *tr, int mode, double t, const double *error)
{
  double length = tr->t - t;
  size_t n = brink__mode_info(tr->sim, mode)->n;

  if (!law(tr, mode, t, tr->y, tr->from) || !law(tr, mode, tr->t, tr->next, tr->to))
    return 0;
  for (size_t i = 0; i < n; i++) {
    double way = 0.5 * length * (tr->from[i] + tr->to[i]),
           size = length * (fabs(tr->from[i]) + fabs(tr->to[i])),
           off = tr->next[i] - tr->y[i] - way;
    double slack = (fabs(tr->from[i]) + fabs(tr->to[i])) *
                       (tr->l->error + 4 * DBL_EPSILON * fabs(tr->t)) +
                   error[i] + 4 * DBL_EPSILON * fabs(tr->y[i]);
    if (!(fabs(off) <= FLIGHT * size + ERRORS * slack))
      return 0;
  }
  return 1;
}

/* Is the state after an instant that of part j, with its limit? */
static int jump_fits(trial *tr, int c, int j, size_t n)
{
  const brink__accumulation *a = &tr->sim->accumulation;
  const double *limit = brink__limit_row(tr->sim, a->y_limit, c, j),
               *error = brink__limit_row(tr->sim, a->y_error, c, j),
               *want = brink__limit_state(tr->sim, tr->l, tr->d, c, j, tr->other);

  for (size_t i = 0; i < n; i++) {
    double left = fabs(want[i] - limit[i]) + fabs(tr->next[i] - limit[i]);
    if (!(fabs(tr->after[i] - want[i]) <=
          MATCH * left + ERRORS * (error[i] + DBL_EPSILON * fabs(want[i]))))
      return 0;
  }
  return 1;
}

/* ------------------------------------------------------------------ trial --- */

/* Carry out the instant of a part on the copy, at tr->t, tr->next. */
static brink_status instant(trial *tr, const brink__part *part, brink__instant *inst)
{
  brink_sim *sim = tr->sim;
  const brink_model *m = sim->user_model;
  brink_err ignored;

  *inst = (brink__instant){.t = tr->t,
                           .number = tr->number,
                           .mode = part->mode,
                           .y_before = tr->next,
                           .sign_before = part->before,
                           .sign = part->now,
                           .hit = part->hit,
                           .due = sim->no_timers,
                           .at_restart = part->at_restart,
                           .trial = 1,
                           .rtol = sim->opt.rtol,
                           .y = tr->after,
                           .mode_after = part->mode,
                           .t_after = tr->t,
                           .fired = sim->fired,
                           .names = sim->names,
                           .jumps = sim->jumps,
                           .max_jumps = m->max_jumps,
                           .noise = tr->noise};

  for (size_t i = 0; i < m->max_n; i++)
    tr->noise[i] = 4 * DBL_EPSILON * fabs(tr->next[i]);
  brink__copy(tr->after, tr->next, m->max_n);
  brink_status rc = m->ops->instant(m, sim->accumulation.copy, inst, &ignored);
  for (int i = 0; i < inst->n_fired + inst->n_silent; i++)
    sim->names[i] = NULL;
  tr->mode = inst->mode_after;
  return rc;
}

/* The same; 1: it has done what it did before. */
static int carry_out(trial *tr, const brink__part *part)
{
  brink__instant inst;

  return instant(tr, part, &inst) >= 0 && !inst.stop && !inst.zeno &&
         inst.mode_after == part->mode_after && inst.n_fired == part->n_fired &&
         brink__fired_hash(&inst) == part->fired && !(inst.t_after > inst.t) &&
         brink__all_finite(tr->after, tr->sim->user_model->max_n);
}

/* Part j of the c-th last occurrence of the period. */
static int try_part(trial *tr, int c, int j)
{
  const brink__part *part = part_of(tr->sim, c, j);
  const double *error = brink__limit_row(tr->sim, tr->sim->accumulation.y_error, c, j);
  double t = tr->t;
  int flies = moves(tr->sim, c, j);

  brink__limit_state(tr->sim, tr->l, tr->d, c, j, tr->next);
  tr->t = brink__limit_time(tr->sim, tr->l, tr->d, c, j);
  tr->number = flies ? 0 : tr->number + 1;
  if (flies && !flight_fits(tr, part->mode, t, error))
    return 0;
  if (!guards_fit(tr, part, error, flies && !part->at_restart ? tr->t - t : 0))
    return 0;
  int last = j + 1 == parts_of(tr->sim, c);
  if (!carry_out(tr, part))
    return 0;
  if ((last || !moves(tr->sim, c, j + 1)) &&
      !jump_fits(tr, c, j + 1, brink__mode_info(tr->sim, tr->mode)->n))
    return 0;
  brink__copy(tr->y, tr->after, tr->sim->user_model->max_n);
  return 1;
}

static int try_period(trial *tr)
{
  for (int c = tr->l->period - 1; c >= 0; c--)
    for (int j = 0; j < parts_of(tr->sim, c); j++)
      if (!try_part(tr, c, j))
        return 0;
  return 1;
}

/* What comes before the next occurrence, at the limit itself. */
static int try_rest(trial *tr)
{
  int j;

  brink__limit_part(tr->sim, tr->l, &j);
  tr->d = 0;
  for (int i = 0; i < j; i++)
    if (!try_part(tr, tr->l->period - 1, i))
      return 0;
  return 1;
}

/* Do all states tend to something that is known?  What moves on beside the events,
 * faster than they follow each other, is not. */
static int converges(brink_sim *sim, const brink__limit *l)
{
  const brink__accumulation *a = &sim->accumulation;
  double *y = a->work, *f = y + sim->user_model->max_n;
  double part = brink__min(KNOWN, l->allowed / l->gap);

  memset(f, 0, sim->user_model->max_n * sizeof *f);
  if (brink__f(&sim->regime->probe, sim->t, sim->y, f) != BRINK_OK)
    return 0;
  for (int c = 0; c < l->period; c++)
    for (int j = 0; j <= parts_of(sim, c); j++) {
      const double *limit = brink__limit_row(sim, a->y_limit, c, j),
                   *error = brink__limit_row(sim, a->y_error, c, j);
      int mode = j < parts_of(sim, c) ? part_of(sim, c, j)->mode
                                      : part_of(sim, c, j - 1)->mode_after;
      const brink__regime *r = brink__regime_find(sim, mode);
      brink__limit_state(sim, l, l->gap, c, j, y);
      for (size_t i = 0; i < r->info->n; i++) {
        double way = fabs(y[i] - limit[i]) + fabs(f[i]) * l->gap;
        if (!(error[i] <= part * way + brink__integrator_tolerance(r->it, i, limit[i])))
          return 0;
      }
    }
  return 1;
}

int brink__limit_event(brink_sim *sim, const brink__limit *l)
{
  size_t n = sim->user_model->max_n;
  double *w = sim->accumulation.work;
  int j;
  const brink__part *part = brink__limit_part(sim, l, &j);
  brink__instant inst;
  trial tr = {
      .sim = sim, .l = l, .t = sim->t, .next = w, .after = w + n, .noise = w + 2 * n};

  brink__copy(tr.next, sim->y, sim->regime->info->n);
  return instant(&tr, part, &inst) >= 0 && !inst.zeno;
}

BRINK__APART int brink__limit_holds(brink_sim *sim, const brink__limit *l)
{
  brink__accumulation *a = &sim->accumulation;
  const brink_model *m = sim->user_model;
  double *w = a->work;
  size_t n = m->max_n;
  brink_err ignored;
  trial tr = {.sim = sim,
              .l = l,
              .mode = sim->mode,
              .d = l->gap,
              .t = sim->t,
              .y = w,
              .next = w + n,
              .after = w + 2 * n,
              .from = w + 3 * n,
              .to = w + 4 * n,
              .other = w + 5 * n,
              .noise = w + 6 * n};

  if (!converges(sim, l) || m->ops->live_copy(m, a->copy, sim->live, &ignored) < 0)
    return 0;
  brink__copy(tr.y, sim->y, sim->regime->info->n);
  for (int i = 0; i < PERIODS && tr.d > DEEPEST * l->gap; i++) {
    double next = brink__limit_next(sim, l, tr.d);
    if (!(next > 0 && next < tr.d))
      return 0;
    tr.d = next;
    if (!try_period(&tr))
      return 0;
  }
  return tr.d <= DEEPEST * l->gap && try_rest(&tr);
}
