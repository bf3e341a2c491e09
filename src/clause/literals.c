/* literals.c -- relations and stairs that make no events: those that are read only in
 * the bodies of whens, or at the start.
 *
 * Such a relation is what it literally is in every pass of an instant; between instants
 * nobody reads it.  Where the opposite relation (x >= 0 for x < 0) makes events, it is
 * the opposite of what that one says, so that a body and the condition that made it act
 * agree.  For the same reason one whose two sides are equal wherever those of a
 * relation that has just fired are (x > 0 for x > h with h = 0) is on the side that
 * this one has gone to: there its own difference is rounding.
 */
#include "clause/build.h"

#include <math.h>

/* ------------------------------------------------------------- compiling --- */

brink_status brink__clause_literal(dae_build *b, clause_literal what, brink__node value,
                                   int timed)
{
  dae_model *m = b->m;
  clause_literal *l = &m->literals[m->n_literals++];
  brink__node roots[CLAUSE_LINE];

  *l = what;
  l->opposite = -1;
  if (timed) {
    BRINK_TRY(brink__clause_line_roots(b, value, roots));
    return brink__dae_tape(b, CLAUSE_LINE, roots, NULL, &l->line);
  }
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, 1, &value, &l->program));
  l->last = l->program.steps[l->program.n_steps - 1].tape;
  return BRINK_OK;
}

/* a op b is the opposite of c op d. */
static int are_opposite(const brink__flat_relation *x, const brink__flat_relation *y)
{
  static const struct {
    brink__op op, same, swapped;
  } opposite[] = {{BRINK_OP_LT, BRINK_OP_GE, BRINK_OP_LE},
                  {BRINK_OP_LE, BRINK_OP_GT, BRINK_OP_LT},
                  {BRINK_OP_GT, BRINK_OP_LE, BRINK_OP_GE},
                  {BRINK_OP_GE, BRINK_OP_LT, BRINK_OP_GT}};

  for (size_t i = 0; i < sizeof opposite / sizeof opposite[0]; i++)
    if (x->op == opposite[i].op)
      return (y->op == opposite[i].same && x->left == y->left &&
              x->right == y->right) ||
             (y->op == opposite[i].swapped && x->left == y->right &&
              x->right == y->left);
  return 0;
}

void brink__clause_opposites(dae_build *b)
{
  dae_model *m = b->m;
  const brink__flat_relation *f = b->flat->relations;

  for (size_t i = 0; i < m->n_literals; i++) {
    clause_literal *l = &m->literals[i];
    for (size_t k = 0; l->relation >= 0 && k < m->n_relations; k++)
      if (m->relations[k].uses && are_opposite(&f[l->relation], &f[k]))
        l->opposite = (int)k;
  }
}

/* --------------------------------------------------------------- running --- */

/* left - right of the literal at (t, y) */
static int difference(dae_live *live, const clause_literal *l, double t,
                      const double *y, double *g)
{
  if (brink__dae_run(live, &l->program, t, y) < 0)
    return 0;
  *g = live->v[brink__tape_slot(l->last, brink__tape_n_roots(l->last) - 1)];
  return 1;
}

/* live->y, with states moved by 2^-10 of their sizes times numbers without a pattern,
 * in one of two directions. */
static const double *beside(dae_live *live, int direction)
{
  const dae_model *m = live->m;
  double *at = live->nudge;

  for (size_t i = 0; i < m->n; i++) {
    double part = 1 + 0.618 * (double)i, size = fabs(live->y[i]);
    if (i < m->n_states)
      size += live->constants.nominal[m->state_var[i]];
    at[i] = live->y[i] + 0x1p-10 * (direction ? -1 / part : part) * size;
  }
  return at;
}

/* The sign of the factor by which left - right of the literal is a multiple of guard k,
 * up to rounding; 0: it is none. */
static int multiple_of(dae_live *live, const clause_literal *l, int k, double t)
{
  double a[2], b[2], bound;

  for (int i = 0; i < 2; i++)
    if (!difference(live, l, t, beside(live, i), &a[i]) ||
        !brink__clause_guard_at(live, k, t, live->nudge, &b[i], &bound))
      return 0;
  if (a[0] == 0 || b[0] == 0 ||
      fabs(a[0] * b[1] - a[1] * b[0]) >
          0x1p-40 * (fabs(a[0] * b[1]) + fabs(a[1] * b[0])))
    return 0;
  return (a[0] > 0) == (b[0] > 0) ? 1 : -1;
}

/* Do both read the same states? */
static int read_alike(const dae_program *p, const dae_program *q)
{
  int alike = p->n_states == q->n_states;

  for (size_t i = 0; i < p->n_states && alike; i++)
    alike = clause_has(q->states, q->n_states, p->states[i]);
  return alike;
}

/* The side on which a relation that has fired at t, and vanishes where the literal
 * does, puts it; 0: none does. */
static int side_of_fired(dae_live *live, const clause_literal *l, double t)
{
  const dae_model *m = live->m;
  double g, bound;
  int side = 0;

  for (size_t k = 0; k < m->n_guards && !side; k++)
    if (m->guards[k].relation >= 0 && brink__fired_at(&live->firing[k], t) &&
        read_alike(&l->program, &m->guards[k].program) &&
        brink__clause_guard_at(live, (int)k, t, live->y, &g, &bound) &&
        brink__fired_unmoved(&live->firing[k], t, g)) {
      side = multiple_of(live, l, (int)k, t) * brink__clause_frozen_sign(live, (int)k);
      brink__clause_guard_at(live, (int)k, t, live->y, &g, &bound); /* as it was */
    }
  return side;
}

/* Its value at (t, live->y); 0: it has none. */
static int value_of(dae_live *live, const clause_literal *l, double t, double now,
                    double *out)
{
  const dae_model *m = live->m;
  const clause_relation *r = l->relation >= 0 ? &m->relations[l->relation] : NULL;
  const clause_stair *s = l->stair >= 0 ? &m->stairs[l->stair] : NULL;

  if (l->opposite >= 0) {
    *out = live->v[m->relations[l->opposite].slot] == 0;
    return 1;
  }
  if (l->line) {
    if (brink__tape_values(l->line, live->v, NULL) < 0)
      return 0;
    *out = brink__clause_line_value(live, l->line, r, s, t, now, nan(""));
    return 1;
  }
  int side = r ? side_of_fired(live, l, t) : 0;
  double x;
  if (!difference(live, l, t, live->y, &x))
    return 0;
  *out = r ? clause_truth(r, side ? side : x) : clause_stair_of(s, x);
  return 1;
}

int brink__clause_evaluate_literals(dae_live *live, double t)
{
  const dae_model *m = live->m;
  int changed = 0;

  for (size_t i = 0; i < m->n_literals; i++) {
    const clause_literal *l = &m->literals[i];
    int32_t slot =
        l->relation >= 0 ? m->relations[l->relation].slot : m->stairs[l->stair].slot;
    double now;
    if (!value_of(live, l, t, live->v[slot], &now)) /* it stays as it is */
      continue;
    changed |= live->v[slot] != now;
    live->v[slot] = now;
  }
  return changed;
}
