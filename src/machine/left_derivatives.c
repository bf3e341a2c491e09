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

static int below_exists(const brink__flat *f, size_t w)
{
  int order;
  return below(f, w, &order) >= 0;
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

/* A variable that is no state of the mode that is left. */
static int is_algebraic(const brink__flat_var *x)
{
  return x->variability == BRINK__CONTINUOUS && !x->inactive && x->der < 0;
}

void brink__modes_note_left(modes_live *live, double t, const double *y)
{
  dae_live *now = live->now;
  const brink__flat *f = now->m->flat;
  size_t first = 0, n = live->model->flat->n_vars;
  int order;

  memset(live->unknown, 0, (size_t)live->model->flat->n_symbols);
  while (first < n && !is_wanted(f, first) && !f->n_switches)
    first++;
  const double *jet = first < n ? slopes(now, t, y) : NULL;
  for (size_t i = first; i < n; i++) {
    int32_t value = f->vars[i].value;
    int b = is_wanted(f, i) ? below(f, i, &order) : -1;
    live->left[value] = now->v[value];
    if (b < 0)
      continue;
    int32_t der = f->vars[b].der;
    if (jet && der >= 0 && order <= 2)
      live->left[value] = order == 1 ? now->v[der] : jet[2 * der + 1];
    else if (jet && der < 0 && order == 1)
      live->left[value] = jet[2 * f->vars[b].value + 1];
    else
      live->unknown[value] = 1;
  }
}

void brink__modes_take_left(modes_live *live)
{
  dae_live *now = live->now;
  const brink__flat *f = now->m->flat;

  for (size_t i = 0; i < live->model->flat->n_vars; i++) {
    int32_t value = f->vars[i].value;
    if (is_wanted(f, i) ? below_exists(f, i)
                        : f->n_switches && is_algebraic(&f->vars[i]))
      now->v[value] = live->left[value];
  }
}
