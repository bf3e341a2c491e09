/* determined.c -- do the equations determine all derivatives and variables?
 *
 * They do if there is a perfect matching of equations and unknowns, der(x) for each x
 * that is differentiated.  Where there are as many equations as unknowns and none, the
 * index may be above 1 (reduce.c); other misfits are faults of the model, which
 * matching.c explains.
 */
#include "dae/build.h"
#include "dae/reduce.h"

enum { MOVES = 1, UNKNOWN = 2, DISCRETE = 4 }; /* what a symbol is */

/* What the equations are to determine between events: derivatives of states, and the
 * other continuous variables.  How many. */
static size_t mark(const brink__flat *f, unsigned char *is)
{
  size_t n = 0;

  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->variability == BRINK__DISCRETE)
      is[v->value] = DISCRETE;
    if (v->variability != BRINK__CONTINUOUS || v->input || v->inactive)
      continue;
    is[v->value] |= MOVES;
    is[v->der >= 0 ? v->der : v->value] |= UNKNOWN;
    n++;
  }
  return n;
}

/* Keep the unknowns of the equations that have continuous variables in them; the number
 * of those.  start: [equations + 1]. */
static size_t incidence(const brink__pattern *p, const unsigned char *is, size_t *start)
{
  size_t n = 0, kept = 0;

  for (size_t i = 0; i + 1 < p->n_rows; i += 2) {
    int what = 0;
    start[n] = kept;
    for (size_t e = p->start[i]; e < p->start[i + 2]; e++) {
      what |= is[p->col[e]];
      if (is[p->col[e]] & UNKNOWN)
        p->col[kept++] = p->col[e];
    }
    n += what != DISCRETE;
  }
  start[n] = kept;
  return n;
}

brink_status brink__dae_is_determined(const brink__flat *f, brink__pool *tmp, int *yes)
{
  size_t n_symbols = (size_t)f->n_symbols, size, *start;
  unsigned char *is;
  brink__node *side;
  int32_t *row_of, *col_of;
  brink__pattern p;

  BRINK_TRY(DAE_TAKE(tmp, n_symbols, &is));
  BRINK_TRY(DAE_TAKE(tmp, 2 * f->n_eqns, &side));
  BRINK_TRY(DAE_TAKE(tmp, f->n_eqns + 1, &start));
  BRINK_TRY(brink__dae_take_ids(tmp, f->n_eqns, &col_of));
  BRINK_TRY(brink__dae_take_ids(tmp, n_symbols, &row_of));
  for (size_t i = 0; i < f->n_eqns; i++) {
    side[2 * i] = f->eqns[i].lhs;
    side[2 * i + 1] = f->eqns[i].rhs;
  }
  size_t unknowns = mark(f, is);
  BRINK_TRY(brink__pattern_new(f->graph, 2 * f->n_eqns, side, n_symbols, is, &p));
  size_t rows = incidence(&p, is, start);
  brink_status rc =
      brink__match(tmp->ctx, &(brink__incidence){rows, n_symbols, start, p.col}, col_of,
                   row_of, &size);
  brink__pattern_drop(&p);
  *yes = rows != unknowns || size == rows;
  return rc;
}
