/* start.c -- a consistent start.
 *
 * States take their start values (or what the caller gives), pre() of discrete
 * variables theirs, relations what they literally are; then the event system is
 * evaluated with initial() true until relations and discrete variables agree.  A
 * when takes part only if initial() is in its condition (never, in Base Modelica).
 */
#include "dae/inner.h"

#include <math.h>
#include <string.h>

enum { PASSES = 100 };

/* Literal values of relations and stairs at (t, y); 1 if one changes. */
static int literal(brink__live *live, double t)
{
  const dae_model *m = live->m;
  int changed = 0;

  for (size_t k = 0; k < m->n_guards; k++) {
    const dae_guard *d = &m->guards[k];
    if (brink__dae_run(live, &d->program, t, live->y) < 0)
      continue; /* not here: as it is */
    double g = live->v[brink__tape_slot(d->last, brink__tape_n_roots(d->last) - 1)],
           now;
    int32_t slot;
    if (d->relation >= 0) {
      const dae_relation *r = &m->relations[d->relation];
      slot = r->slot;
      now = g == 0 ? r->with_zero : (g > 0) == r->rising;
    } else {
      const dae_stair *s = &m->stairs[d->stair];
      if ((int)k != s->guard)
        continue;
      double x = g + live->v[s->slot] - s->up;
      slot = s->slot;
      now = s->up ? ceil(x) : floor(x);
    }
    changed |= live->v[slot] != now;
    live->v[slot] = now;
  }
  for (size_t i = 0; i < m->n_relations; i++)
    if (m->relations[i].timer >= 0)
      changed |= brink__dae_time_again(live, &m->relations[i], t);
  return changed;
}

static int discretes_moved(brink__live *live)
{
  const dae_model *m = live->m;
  int moved = 0;

  for (size_t i = 0; i < m->n_discretes; i++) {
    double now = live->v[m->discretes[i].value];
    moved |= now != live->old[i];
    live->old[i] = now;
  }
  return moved;
}

static void prepare(brink__live *live, double t, const double *given)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n; i++)
    live->y[i] = i >= m->n_states ? 0 : given ? given[i] : live->v[m->state_symbol[i]];
  for (size_t i = 0; i < m->n_states; i++) {
    live->v[m->state_symbol[i]] = live->y[i];
    live->reinit[i] = -1;
  }
  for (size_t i = 0; i < m->n_lefts; i++)
    live->v[m->lefts[i].pre] = live->v[m->lefts[i].value];
  if (m->flat->initial >= 0)
    live->v[m->flat->initial] = 1;
  for (size_t k = 0; k < m->n_conds; k++)
    live->v[m->conds[k].pre] = !m->conds[k].with_initial || m->flat->base;
  live->v[BRINK__TIME] = t;
  live->stop = 0;
  memset(live->fired, 0, m->n_branches);
  discretes_moved(live);
}

static brink_status not_here(brink__live *live, double t, brink_err *err)
{
  return brink__fail_at(err, BRINK_EDOMAIN, t, "at the start, t = %.9g: %s", t,
                        brink__dae_reason(live));
}

/* Relations and discrete variables that agree with each other. */
static brink_status agree(brink__live *live, double t, brink_err *err)
{
  for (int pass = 0; pass < PASSES; pass++) {
    int changed = literal(live, t);
    if (brink__dae_run(live, &live->m->event, t, live->y) < 0)
      return not_here(live, t, err);
    changed |= discretes_moved(live);
    if (!changed && pass > 0)
      return BRINK_OK;
  }
  return brink__fail_at(err, BRINK_EITERATION, t,
                        "the start at t = %.9g does not settle: relations and discrete "
                        "variables contradict each other",
                        t);
}

brink_status brink__dae_start(const brink_model *model, brink__live *live, double t,
                              int *mode, const double *given, double *y, brink_err *err)
{
  const dae_model *m = dae_of(model);

  *mode = 0;
  prepare(live, t, given);
  BRINK_TRY(agree(live, t, err));

  /* whens at initial() act, then the model goes on as after any event */
  BRINK_TRY(brink__dae_settle_first(live, t, err));
  if (m->flat->initial >= 0)
    live->v[m->flat->initial] = 0;
  BRINK_TRY(brink__dae_settle(live, t, NULL, err));
  for (size_t i = 0; i < m->n_states; i++)
    if (live->reinit[i] >= 0)
      live->y[i] = live->fresh[i];
  memcpy(y, live->y, m->n * sizeof *y);
  return brink__dae_check(live, t, y, err);
}
