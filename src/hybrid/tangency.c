/* tangency.c -- a solution on the zero of a guard that switches its law: which way do
 * the laws of both sides lead?
 *
 * The first Lie derivative of the guard that does not vanish tells, on each side:
 *
 *   away from it on both ... the solution is not unique (a repelling surface; of order
 *                            2 two visible folds)
 *   to it on both .......... sliding, if one of them is of order 1 (filippov.c); else
 *                            the laws touch the guard and come back (invisible folds)
 *   to it on one ........... a crossing, in one direction or the other
 *
 * It is asked where that matters: where a run begins on a guard or is reset onto one,
 * where it begins to slide along one or leaves it, and where a step touches one.  The
 * record gets a row (fold: a law touches the guard, or sliding ends where both do;
 * start: both lead away; grazing: a step touches it; or that of sliding) with dg/dt on
 * the side where g < 0 and on the other one.  The run goes on with the live object that
 * it has; where that is not the only solution, a warning says so.
 *
 * Events that change more than the law are no switches, and are left alone.
 */
#include "hybrid/contact.h"
#include "hybrid/filippov.h"

#include <math.h>
#include <stdio.h>

/* How a law leads at a guard on its zero. */
typedef struct course {
  int order; /* of the first derivative that does not vanish; 0: all known do       */
  double value; /* of that ...                                                      */
  double rate;  /* ... and of the first, 0: it vanishes                             */
  int away; /* 1: away from the guard, into the side of the law; -1: to it         */
} course;

/* The side on which laws are tried: none of those that the active regime has its laws
 * on. */
static int trial_side(const brink__extended *x)
{
  return x->active ? 1 << BRINK__SLIDING_SURFACES : 1;
}

/* At the end of sliding a rate vanishes that changes its sign within this part of a
 * step, or of the time that it has lasted: the place of the end is not known any
 * better. Where the law leads into a two-fold by itself, steps become short in front of
 * it, and say nothing about the place. */
static const double AT_ONCE = 0x1p-20;

/* Differences are taken over so many steps at most: what reads t changes in them. */
static const double STEPS = 0x1p10;

/* The first derivative that differs from 0, from order `first` on; sign: of the guard
 * on the side of the law. */
static course course_of(const brink__estimate *e, int known, int first, int sign)
{
  for (int j = first; j <= known; j++)
    if (brink__estimate_sign(e[j]))
      return (course){j, e[j].value, j == 1 ? e[1].value : 0,
                      sign * brink__estimate_sign(e[j])};
  return (course){0};
}

/* Memory for derivatives on a side, kept for the next time; NULL: there is none. */
static void *lie_memory(brink__extended *x, const brink__side *s)
{
  size_t size = brink__lie_size(x->inner, s->live, s->mode);

  if (size > x->lie_size) {
    brink__block_drop(&x->lie_block);
    x->lie_size = 0;
    if (brink__block_new(x->sim->ctx, brink__need(0, 1, size), &x->lie_block) < 0)
      return NULL;
    x->lie_memory = brink__carve(&x->lie_block, 1, size);
    x->lie_size = size;
  }
  brink__fill_bytes(x->lie_memory, 0, size);
  return x->lie_memory;
}

/* Guard k of side 0 along the law of side i, on which it has this sign.  1; 0: it has
 * no value; or an error.  A rate that changes its sign within `soon` counts as 0. */
static int follow(brink__extended *x, int i, int k, int sign, double t, const double *y,
                  double soon, course *out)
{
  const brink__side *s = &x->side[i];
  brink__estimate e[BRINK__LIE_ORDER + 1];
  brink__lie lie;
  double rate;

  *out = (course){0};
  if (s->mode != x->side[0].mode) { /* its guards are others */
    if (brink__side_rhs(x, i, t, y) != 0 ||
        !brink__side_rate(x, 0, k, t, y, s->f, &rate))
      return 0;
    *out = (course){1, rate, rate, rate * sign > 0 ? 1 : rate * sign < 0 ? -1 : 0};
    return 1;
  }
  void *memory = lie_memory(x, s);
  if (!memory)
    return (int)BRINK_ENOMEM;
  brink__lie_init(&lie, memory, x->inner, s->live, s->mode);
  lie.span = STEPS * brink__rate_span(x->sim);
  int known = brink__lie_along(&lie, k, t, y, BRINK__LIE_ORDER, e);
  int vanishes = known >= 2 && fabs(e[1].value) <= soon * fabs(e[2].value);
  *out = course_of(e, known, vanishes ? 2 : 1, sign);
  return known >= 1;
}

brink_status brink__fold_turns(brink__extended *x, int i, int k, double t,
                               const double *y, int *sign)
{
  course c;

  int found = follow(x, i, k, 1, t, y, 0, &c);
  *sign = found > 0 && c.order > 1 ? c.away : 0;
  return found < 0 ? (brink_status)found : BRINK_OK;
}

/* Does f jump from x->slope to that of side i?  That of a diode does not. */
static int jumps(const brink__extended *x, int i)
{
  const brink__side *s = &x->side[i];

  for (size_t m = 0; m < s->flow.n; m++)
    if (fabs(s->f[m] - x->slope[m]) >
        BRINK__SAME_LAW * (fabs(s->f[m]) + fabs(x->slope[m])))
      return 1;
  return 0;
}

/* The courses of both laws at guard k of side 0, which is zero at (t, y).  1; 0: its
 * event is no switch, at which f jumps, or they are not known; or an error.  Guards of
 * the same surface are in x->hit.  own_soon, soon: as above. */
static int both_courses(brink__extended *x, int k, double t, const double *y,
                        double own_soon, double soon, course *own, course *other)
{
  int sign = x->side[0].sign[k], i = trial_side(x);

  if (!sign)
    return 0;
  brink_status rc = brink__side_copy(x, i, 0);
  if (rc < 0)
    return (int)rc;
  if (brink__side_rhs(x, i, t, y) != 0)
    return 0;
  int found = follow(x, i, k, sign, t, y, own_soon, own);
  if (found > 0 && brink__side_rhs(x, i, t, y) == 0) {
    brink__copy(x->slope, x->side[i].f, x->side[i].flow.n);
    found = brink__switch_across(x, k, t, y, i);
  }
  if (found <= 0)
    return found;
  if (brink__side_rhs(x, i, t, y) != 0 || !jumps(x, i))
    return 0;
  return follow(x, i, k, -sign, t, y, soon, other);
}

/* dg/dt on the side where g < 0, and on the other one, for the record. */
static void set_rates(brink_sim *sim, int sign, const course *own, const course *other)
{
  sim->rates[0] = sign < 0 ? own->rate : other->rate;
  sim->rates[1] = sign < 0 ? other->rate : own->rate;
}

/* --------------------------------------------------------------- warnings --- */

static void describe(const course *c, char *text, size_t size)
{
  static const char *const name[] = {"", "dg/dt", "d2g/dt2", "d3g/dt3"};

  if (c->order == 0)
    snprintf(text, size, "no derivative of g");
  else
    snprintf(text, size, "%s = %.6g%s", name[c->order], c->value,
             c->order != 2 ? ""
             : c->away > 0 ? ", a visible fold"
                           : ", an invisible fold");
}

/* 1: there was something to say. */
static int remark(brink_sim *sim, int k, double t, const course *own,
                  const course *other)
{
  const char *guard = sim->regime->guards.info[k].name;
  int branches = own->away >= 0 && other->away > 0,
      returns = own->away < 0 && other->away < 0 && own->order > 1 && other->order > 1;
  char a[60], b[60];

  describe(own, a, sizeof a);
  describe(other, b, sizeof b);
  if (branches)
    brink__remark(sim, BRINK__REMARK_REPELLED,
                  "at t = %.15g the solution is not unique: it is on the zero of "
                  "'%.100s', which the law behind it leads away from (%s), and the "
                  "present one does not lead to it (%s); the run keeps the present "
                  "law; start beside the zero to choose",
                  t, guard, b, a);
  if (returns)
    brink__remark(sim, BRINK__REMARK_TANGENT,
                  "at t = %.15g the solution is on the zero of '%.100s', which the "
                  "laws of both sides touch and come back to (%s with the present "
                  "one, %s behind it): events may follow each other closely there",
                  t, guard, a, b);
  return branches || returns;
}

/* Sliding ends where both laws touch the guard: behind it the surface repels, whether
 * the laws come back to it or not. */
static void remark_two_fold(brink_sim *sim, int k, const course *own,
                            const course *other)
{
  char a[60], b[60];

  describe(own, a, sizeof a);
  describe(other, b, sizeof b);
  brink__remark(
      sim, BRINK__REMARK_REPELLED,
      "at t = %.15g the solution is not unique: sliding along '%.100s' ends in "
      "a two-fold (%s with the present law, %s behind it), from which on the "
      "laws of both sides lead away from the zero; the run keeps the present "
      "law",
      sim->t, sim->regime->guards.info[k].name, a, b);
}

/* ------------------------------------------------------- starts and resets --- */

/* Guards that have been looked at, with those of the same surface. */
typedef struct looked_at {
  int n, guard[BRINK__MOST_HELD];
} looked_at;

static int is_known(const looked_at *l, int k)
{
  for (int i = 0; i < l->n; i++)
    if (l->guard[i] == k)
      return 1;
  return 0;
}

static void note_surface(const brink__extended *x, looked_at *l)
{
  for (int j = 0; j < x->sim->regime->guards.n && l->n < BRINK__MOST_HELD; j++)
    if (x->hit[j])
      l->guard[l->n++] = j;
}

/* A row about guard k, with the rates that are set. */
static brink_status log_row(brink_sim *sim, int k, brink_kind kind)
{
  const brink__guards *g = &sim->regime->guards;
  brink_status rc = brink__log(sim, sim->t, sim->y, g->info[k].name, kind, 0,
                               g->watch[k].g, 0, BRINK_CONVERGED);

  sim->rates[0] = sim->rates[1] = nan("");
  return rc;
}

static brink_status classify(brink__extended *x, int k, looked_at *known)
{
  brink_sim *sim = x->sim;
  course own, other;

  if (is_known(known, k))
    return BRINK_OK;
  int found = both_courses(x, k, sim->t, sim->y, 0, 0, &own, &other);
  if (found <= 0)
    return (brink_status)found;
  note_surface(x, known);
  int told = remark(sim, k, sim->t, &own, &other);
  int folds = own.order > 1 || other.order > 1;
  /* a crossing, or sliding; the guards of callbacks may be those of another layer, as
   * bounds are: a fold that changes nothing is not worth a row there */
  if (!told && !(folds && sim->regime->guards.info[k].held))
    return BRINK_OK;
  set_rates(sim, x->side[0].sign[k], &own, &other);
  return log_row(sim, k, folds ? BRINK_KIND_FOLD : BRINK_KIND_START);
}

/* Have the events at this time put the state onto the zero of guard k?  One that was
 * held before is on it anyway, and what becomes of it is told where it is left. */
static int is_put_onto(const brink_sim *sim, int k, int begins)
{
  const brink__watch *w = &sim->regime->guards.watch[k];
  const brink__held *h = sim->extended ? sim->extended->before : NULL;

  return brink__on_zero(w) && (begins || !w->crossed) &&
         !(h && h->base == sim->mode && h->held_by[k] >= 0);
}

BRINK__COLD static brink_status classify_all(brink_sim *sim, int begins)
{
  const brink_model *model = sim->model;
  const brink__guards *g = &sim->regime->guards;
  looked_at known = {0};
  brink__extended *x;
  brink_status rc = BRINK_OK;

  BRINK_TRY(brink__extend(sim, &x));
  brink__side_own(x);
  for (int k = 0; k < g->n && rc >= 0 && !sim->ended; k++)
    if (is_put_onto(sim, k, begins))
      rc = classify(x, k, &known);
  sim->model = model; /* nothing is held */
  return rc;
}

brink_status brink__switches_classify(brink_sim *sim, unsigned classes, int begins)
{
  const brink__guards *g = &sim->regime->guards;
  const brink__extended *x = sim->extended;

  if (!(begins || (classes & BRINK_SE_S)) || sim->backward || sim->ended ||
      (x && x->active))
    return BRINK_OK;
  for (int k = 0; k < g->n; k++)
    if (is_put_onto(sim, k, begins))
      return classify_all(sim, begins);
  return BRINK_OK;
}

/* ------------------------------------------------------------ during a run --- */

brink_status brink__switch_rates(brink__extended *x, int k, int left)
{
  brink_sim *sim = x->sim;
  double lasted = fabs(sim->t - sim->t_event);
  double soon = left ? AT_ONCE * brink__max(brink__rate_span(sim), lasted) : 0;
  course own, other;

  int found = both_courses(x, k, sim->t, sim->y, soon, soon, &own, &other);
  if (found <= 0)
    return (brink_status)found;
  int two_fold = left && own.order != 1 && other.order != 1;
  if (two_fold && own.order && other.order)
    remark_two_fold(sim, k, &own, &other);
  else if (left)
    remark(sim, k, sim->t, &own, &other);
  set_rates(sim, x->side[0].sign[k], &own, &other);
  if (!two_fold)
    return BRINK_OK;
  BRINK_TRY(log_row(sim, k, BRINK_KIND_FOLD)); /* a two-fold */
  set_rates(sim, x->side[0].sign[k], &own, &other);
  return BRINK_OK;
}

BRINK__APART brink_status brink__touch_kind(brink_sim *sim, int k, double t,
                                            const double *y, const signed char *sign,
                                            brink_kind *kind)
{
  const brink_model *model = sim->model;
  brink__extended *x = sim->extended;
  course own, other;

  *kind = BRINK_KIND_TOUCH;
  /* jumps of callbacks may count what they are called for */
  if (!sim->regime->guards.info[k].held || sim->backward || (x && x->active))
    return BRINK_OK;
  BRINK_TRY(brink__extend(sim, &x));
  int found = brink__side_within(x, k, t, y, sign)
                  ? both_courses(x, k, t, y, HUGE_VAL, 0, &own, &other)
                  : 0;
  sim->model = model;
  if (found <= 0)
    return (brink_status)found;
  set_rates(sim, x->side[0].sign[k], &own, &other);
  if (remark(sim, k, t, &own, &other))
    *kind = BRINK_KIND_GRAZING;
  return BRINK_OK;
}
