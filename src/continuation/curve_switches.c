/* curve_switches.c -- relations and stairs along a curve.
 *
 * They are held on a step, as between events of a run, and so are the discrete
 * variables that follow from them.
 */
#include "continuation/continuation.h"

#include <math.h>

enum { PASSES = 50 }; /* of relations and discrete variables that follow each other */

static double root(const path *w, size_t k)
{
  return w->v[brink__tape_slot(w->sys->guards, k)];
}

static const clause_relation *relation_of(const path *w, size_t k)
{
  return &w->sys->m->relations[w->sys->relation[k]];
}

static const clause_stair *stair_of(const path *w, size_t k)
{
  return &w->sys->m->stairs[w->sys->stair[k - w->sys->n_relations]];
}

/* Discrete variables that equations determine, and then their pre(). */
static int follow(path *w)
{
  const dae_model *m = w->sys->m;
  int changed = 0;

  if (!m->discrete_tape)
    return 0;
  brink__tape_values(m->discrete_tape, w->v, NULL);
  for (size_t i = 0; i < m->n_discretes; i++) {
    const dae_discrete *d = &m->discretes[i];
    if (d->assigned || d->pre < 0)
      continue;
    changed |= w->v[d->pre] != w->v[d->value];
    w->v[d->pre] = w->v[d->value];
  }
  return changed;
}

static void follow_all(path *w)
{
  for (int pass = 0; pass < PASSES && follow(w); pass++)
    continue;
}

/* Guards have no value where their expressions have none: then nothing changes. */
static int evaluate(path *w)
{
  return brink__path_evaluate(w) &&
         brink__tape_values(w->sys->guards, w->v, NULL) == BRINK_OK;
}

static int set(double *v, double value)
{
  int changed = *v != value;

  *v = value;
  return changed;
}

int brink__switches_update(path *w)
{
  const rest_system *s = w->sys;
  int changed = 0;

  if (s->n_relations + s->n_stairs == 0 || !evaluate(w))
    return 0;
  for (size_t k = 0; k < s->n_relations; k++) {
    const clause_relation *r = relation_of(w, k);
    double g = root(w, k);
    changed += set(&w->v[r->slot], g == 0 ? r->true_at_zero : (g > 0) == r->rising);
  }
  for (size_t k = s->n_relations; k < s->n_relations + s->n_stairs; k++)
    changed +=
        set(&w->v[stair_of(w, k)->slot], clause_stair_of(stair_of(w, k), root(w, k)));
  follow_all(w);
  return changed;
}

double brink__switch_guard(path *w, size_t k)
{
  if (!evaluate(w))
    return 0;
  double g = root(w, k);
  if (k < w->sys->n_relations) {
    const clause_relation *r = relation_of(w, k);
    return (w->v[r->slot] != 0) == r->rising ? g : -g;
  }
  const clause_stair *s = stair_of(w, k);
  double n = w->v[s->slot];
  return fmin(g - clause_stair_low(s, n), clause_stair_high(s, n) - g);
}

void brink__switch_flip(path *w, size_t k)
{
  if (k < w->sys->n_relations) {
    double *v = &w->v[relation_of(w, k)->slot];
    *v = *v == 0;
  } else if (evaluate(w)) {
    const clause_stair *s = stair_of(w, k);
    double *n = &w->v[s->slot], g = root(w, k);
    *n += g - clause_stair_low(s, *n) < clause_stair_high(s, *n) - g ? -1 : 1;
  }
  follow_all(w);
}

const char *brink__switch_text(const path *w, size_t k, int *line)
{
  const rest_system *s = w->sys;

  if (k < s->n_relations) {
    const brink__flat_relation *r = &s->flat.relations[s->relation[k]];
    *line = r->at.line;
    return r->text;
  }
  const brink__flat_stair *t = &s->flat.stairs[s->stair[k - s->n_relations]];
  *line = t->at.line;
  return t->text;
}
