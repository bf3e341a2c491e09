/* event_width.c -- an event has a width, and the law behind it may see more sharply.
 *
 * The event of a relation is where its guard has crossed zero, with the law before it
 * and up to rounding.  The current of a blocking bridge of diodes is so small that the
 * voltages have ten digits; once a diode conducts its current is known to sixteen, and
 * may say that it should not: the event was located a hair too early.  That is no
 * contradiction.  The guard of the law before crosses its band in the time
 *
 *   dt = 2 (|g| + bound)/|g'|,
 *
 * and if the guard of the law behind has the sign of the relation after that time, the
 * relation keeps it.  If both laws lead back to the zero it has not.
 */
#include "clause/clause.h"

#include <math.h>
#include <string.h>

/* Relations, stairs and discrete variables as they were before this instant. */
static void law_before(dae_live *live)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++)
    live->v[m->relations[i].slot] = live->old_relation[i];
  for (size_t i = 0; i < m->n_stairs; i++)
    live->v[m->stairs[i].slot] = live->old_stair[i];
  for (size_t i = 0; i < m->n_discretes; i++)
    live->v[m->discretes[i].value] = live->old[i];
}

/* A rate below this part of the largest one that it is made of is rounding. */
static const double STILL = 1e-10;

/* The largest rate of the unknowns and states behind a guard. */
static double largest_rate(const dae_live *live, const dae_program *p)
{
  const double *jet = live->branches.jet;
  double top = 0;

  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_loop *loop = p->steps[i].loop;
    for (size_t j = 0; loop && j < loop->n; j++)
      top = fmax(top, fabs(jet[2 * (size_t)loop->symbol[j] + 1]));
  }
  for (size_t i = 0; i < p->n_states; i++)
    top = fmax(top, fabs(live->branches.y[p->states[i]]));
  return top;
}

double brink__clause_guard_rate(dae_live *live, int k)
{
  const dae_model *m = live->m;
  const clause_guard *d = &m->guards[k];
  double *jet = live->branches.jet;

  brink__dae_tangent_begin(live, jet);
  jet[2 * BRINK__TIME + 1] = 1;
  for (size_t i = 0; i < m->n_states; i++)
    jet[2 * (size_t)m->state_symbol[i] + 1] = live->branches.y[i];
  if (brink__dae_tangent(live, &d->program, 0, jet) < 0)
    return nan("");
  double rate =
      jet[2 * brink__tape_slot(d->last, brink__tape_n_roots(d->last) - 1) + 1];
  return fabs(rate) > STILL * largest_rate(live, &d->program) ? rate : 0;
}

/* How long guard k needs, with the law before, to leave its band on the side `sign`; 0:
 * it does not lead there.  The states go into live->branches.y. */
static double width(dae_live *live, int k, double t, int sign)
{
  const dae_model *m = live->m;
  double *y = live->branches.y, g, bound, forward = live->backward ? -1 : 1;

  if (brink__dae_run(live, &m->flow, t, live->y) < 0)
    return 0;
  for (size_t i = 0; i < m->n_states; i++)
    y[i] = live->v[m->der_symbol[i]];
  if (!brink__clause_guard_at(live, k, t, live->y, &g, &bound))
    return 0;
  double speed = brink__clause_guard_rate(live, k) * forward * sign,
         dt = 2 * (fabs(g) + bound) / speed;
  if (!(speed > 0) || !isfinite(dt))
    return 0;
  for (size_t i = 0; i < m->n; i++)
    y[i] = i < m->n_states ? live->y[i] + dt * forward * y[i] : live->y[i];
  return dt * forward;
}

int brink__clause_within_event(dae_live *live, const clause_relation *r, double t)
{
  const dae_model *m = live->m;
  double *law = live->branches.law, g, bound;
  int sign = brink__clause_frozen_sign(live, r->guard), within = 0;

  if (m->n_coupled == 0)
    return 0;
  memcpy(law, live->v, m->n_symbols * sizeof *law);
  law_before(live);
  double dt = width(live, r->guard, t, sign);
  memcpy(live->v, law, m->n_symbols * sizeof *law);
  if (dt != 0 &&
      brink__clause_guard_at(live, r->guard, t + dt, live->branches.y, &g, &bound))
    within = g * sign >= -bound;
  memcpy(live->v, law, m->n_symbols * sizeof *law);
  live->t = t;
  return within;
}
