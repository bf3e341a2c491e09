/* standstill.c -- sliding that begins and ends again and again while nothing moves.
 *
 * A terminal sliding surface, s = v + c |x|^a sgn(x) with a < 1, ends in x = v = 0,
 * where ds/dx is infinite.  Within rounding of that point the laws beside the surface
 * lead anywhere: the solution is let go and caught again, or takes steps that its
 * smallest states demand and nobody can see.  Neither has an end.
 *
 * Both are seen from the states: while they all stay where they were, up to their
 * tolerances and, near 0, to the root of the tolerance (being caught moves a state by
 * what its guard is uncertain by, which such a root makes large), slides and steps are
 * counted.  If there have been MANY_SLIDES, and by their pace MANY more would come in
 * this run, it ends with a verdict.  Steps are worth a warning only: a stiff law that
 * holds still may need them.  Once something has slid, each step is looked at, so that
 * a cycle which comes back to where it was is no standstill.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>

/* So many slides, or steps, are no accident: stick-slip that can be seen moves states
 * by more than their tolerances within one cycle. */
static const long MANY_SLIDES = 2000, MANY_STEPS = 4096;

/* So many more would take minutes: nobody waits for that. */
static const double MANY = 1e5;

/* So many tolerances of a state at 0 go unseen. */
static double tolerances(const brink_sim *sim)
{
  return 1 + 1 / sqrt(brink__max(sim->opt.rtol, DBL_EPSILON));
}

/* Is no state farther away than that? */
static int is_there(const brink_sim *sim)
{
  const brink__standstill *s = &sim->standstill;
  const brink_integrator *it = sim->regime->it;
  size_t n = sim->regime->info->n;
  double more = tolerances(sim) - 1;

  if (s->n != n)
    return 0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(sim->y[i] - s->y[i]) <=
          brink__integrator_tolerance(it, i, s->y[i]) +
              more * brink__integrator_tolerance(it, i, 0)))
      return 0;
  return 1;
}

static void begin(brink_sim *sim)
{
  brink__standstill *s = &sim->standstill;

  s->n = sim->regime->info->n;
  s->t = sim->t;
  s->slides = s->steps = 0;
  brink__copy(s->y, sim->y, s->n);
}

/* How many more will come, if n have since it began? */
static double to_come(const brink_sim *sim, long n)
{
  return (double)n * (sim->t_end - sim->t) / (sim->t - sim->standstill.t);
}

void brink__standstill_slide(brink_sim *sim, int mode, int guard)
{
  brink__standstill *s = &sim->standstill;

  if (!is_there(sim))
    begin(sim);
  s->slides++;
  s->mode = mode;
  s->guard = guard;
}

/* The guard of the last slide. */
static const char *name_of(const brink_sim *sim)
{
  const brink__standstill *s = &sim->standstill;
  const brink__regime *r = brink__regime_find(sim, s->mode);

  return r ? r->info->guards[s->guard].name : "?";
}

BRINK__COLD static void remark(brink_sim *sim, double expected)
{
  brink__remark(
      sim, BRINK__REMARK_STANDSTILL,
      "from t = %.15g on, while the solution slides along '%.80s', no state "
      "has moved by more than %.2g tolerances in %ld steps, and about %.2g of "
      "them are to come; where the law has a root, make it smooth where its "
      "argument is 0",
      brink__shown(sim, sim->standstill.t), name_of(sim), tolerances(sim), MANY_STEPS,
      expected);
}

/* Has what it does now to do with sliding? */
static int slides(const brink_sim *sim)
{
  const brink__held *h = sim->extended ? sim->extended->active : NULL;

  return sim->standstill.slides > 0 || (h && h->law->enters == BRINK_KIND_SLIDE_IN);
}

void brink__standstill_step(brink_sim *sim)
{
  brink__standstill *s = &sim->standstill;

  if (!is_there(sim))
    begin(sim);
  if (++s->steps == MANY_STEPS && slides(sim)) {
    double expected = to_come(sim, MANY_STEPS);
    if (expected >= MANY)
      remark(sim, expected);
  }
}

BRINK__APART int brink__stands_still(brink_sim *sim, brink__verdict *out)
{
  const brink__standstill *s = &sim->standstill;

  if (s->slides < MANY_SLIDES || !is_there(sim) || to_come(sim, s->slides) < MANY)
    return 0;
  out->kind = BRINK_KIND_SLIDE_IN;
  out->guard = sim->mode == s->mode ? s->guard : -1;
  brink__fail_at(&out->why, BRINK_EITERATION, brink__shown(sim, sim->t),
                 "the solution chatters at '%.80s': since t = %.15g sliding along it "
                 "has begun and ended %ld times, and no state has moved by more than "
                 "%.2g tolerances; about %.2g times more are to come; where the law "
                 "has a root, make it smooth where its argument is 0; if that motion "
                 "is meant, set a smaller atol",
                 name_of(sim), brink__shown(sim, s->t), s->slides, tolerances(sim),
                 to_come(sim, s->slides));
  return 1;
}
