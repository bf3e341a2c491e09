/* left_derivatives.c -- left limits of derivatives that the mode which is left has not
 * as states, but others have.
 *
 * Where x is released that was given as a function of time, the new mode begins with
 * the velocity that x had.  The derivative of a state is known; one more follows along
 * the solution (dae/tangent.c), and so does the first derivative of what is no state.
 * Those of higher order have no left limit (live->unknown).
 */
#include "machine/modes.h"

#include <string.h>

/* The variable in the mode that is left of which w is a derivative there, and of which
 * order; -1: w itself exists there. */
static int below(const brink__flat *f, size_t w, int *order)
{
  int v = (int)w;

  *order = 0;
  for (; f->vars[v].derivative_of && f->vars[v].inactive; ++*order)
    v = f->vars[v].derivative_of - 1;
  return f->vars[v].inactive ? -1 : v;
}

static int is_wanted(const brink__flat *f, size_t i)
{
  return f->vars[i].derivative_of && f->vars[i].inactive;
}

/* Slopes of all that the mode computes, along its solution; NULL: it has none here. */
static const double *slopes(dae_live *now, double t, const double *y)
{
  const dae_model *m = now->m;
  double *jet = now->initial.jet;

  if (brink__dae_run(now, &m->all, t, y) < 0)
    return NULL;
  brink__dae_tangent_begin(now, jet);
  jet[2 * BRINK__TIME + 1] = 1;
  for (size_t i = 0; i < m->n_states; i++)
    jet[2 * m->state_symbol[i] + 1] = now->v[m->der_symbol[i]];
  return brink__dae_tangent(now, &m->all, 0, jet) < 0 ? NULL : jet;
}

void brink__modes_left_derivatives(modes_live *live, double t, const double *y)
{
  dae_live *now = live->now;
  const brink__flat *f = now->m->flat;
  const double *jet = NULL;
  size_t first = 0, n = live->model->flat->n_vars;
  int order;

  memset(live->unknown, 0, (size_t)live->model->flat->n_symbols);
  while (first < n && !is_wanted(f, first))
    first++;
  if (first < n)
    jet = slopes(now, t, y);
  for (size_t i = first; i < n; i++) {
    int b = is_wanted(f, i) ? below(f, i, &order) : -1;
    if (b < 0)
      continue;
    int32_t der = f->vars[b].der, value = f->vars[i].value;
    if (jet && der >= 0 && order <= 2)
      now->v[value] = order == 1 ? now->v[der] : jet[2 * der + 1];
    else if (jet && der < 0 && order == 1)
      now->v[value] = jet[2 * f->vars[b].value + 1];
    else
      live->unknown[value] = 1;
  }
}
