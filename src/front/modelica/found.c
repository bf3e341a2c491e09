/* found.c -- what depends on parameters that initial equations find (fixed = false).
 *
 * Such a parameter is a variable that rests (emit.c).  A parameter that is defined by
 * one, q = 2*p, is a variable with that equation; a start value that is made of one has
 * a guess, in which every such parameter has its own start value, and where it is fixed
 * it is a condition of the start.
 */
#include "front/modelica/lower.h"

#include <string.h>

/* ---------------------------------------------------------------- moves ---- */

static int moves(mo_low *lo, brink__node n);

static int symbol_moves(mo_low *lo, int32_t id)
{
  mo_symbol s = lo->symbols[id];

  if (s.variability <= BRINK__PARAMETER)
    return 0;
  if (s.kind == MO_SYM_RELATION)
    return moves(lo, lo->relations[s.index].left) ||
           moves(lo, lo->relations[s.index].right);
  if (s.kind == MO_SYM_STAIR)
    return moves(lo, lo->stairs[s.index].arg);
  return s.kind != MO_SYM_VALUE || !lo->var_inst[s.index] ||
         lo->var_inst[s.index]->variability != MO_PARAMETER;
}

static int moves(mo_low *lo, brink__node n)
{
  brink__pattern p;
  int yes = 0;

  if (brink__pattern_new(lo->g, 1, &n, 0, NULL, &p) < 0) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  for (size_t k = 0; k < p.nnz && !yes; k++)
    yes = symbol_moves(lo, p.col[k]);
  brink__pattern_drop(&p);
  return yes;
}

int brink__lo_moves(mo_low *lo, brink__node n)
{
  return n && brink__lo_varies(lo, n) > BRINK__PARAMETER && moves(lo, n);
}

/* ----------------------------------------------------------- parameters ---- */

static int depends(mo_low *lo, brink__node n)
{
  return n && brink__lo_varies(lo, n) > BRINK__PARAMETER;
}

/* The parameter becomes a variable, its value an equation. */
static void become_variable(mo_low *lo, int32_t var)
{
  brink__flat_var *v = &lo->vars[var];
  const mo_inst *inst = lo->var_inst[var];
  mo_sink *to = &lo->eqns;

  v->variability = v->type == BRINK_TYPE_REAL ? BRINK__CONTINUOUS : BRINK__DISCRETE;
  v->found = 1;
  lo->symbols[v->value].variability = v->variability;
  lo->n_vary = 0; /* of all nodes, anew */
  brink__node self = brink__lo_value(lo, var);
  if (self && brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
    to->v[to->n++] = (brink__flat_eqn){self, lo->vars[var].binding, v->at,
                                       brink__lo_place(lo, inst->parent)};
}

/* -------------------------------------------------------------- guesses ---- */

/* by[symbol]: what stands for a found parameter in a guess. */
static int guesses(mo_low *lo, brink__node *by)
{
  for (size_t i = 0; i < lo->n_vars; i++) {
    const brink__flat_var *v = &lo->vars[i];
    if (!lo->var_inst[i] || lo->var_inst[i]->variability != MO_PARAMETER ||
        v->variability <= BRINK__PARAMETER)
      continue;
    by[v->value] = v->binding ? v->binding
                   : v->start ? v->start
                              : brink__first_value(lo->g, v->type);
    if (!by[v->value])
      return 0;
  }
  return 1;
}

/* Replace found parameters until none is left; at most as often as there are
 * variables, since definitions in a circle are refused elsewhere. */
static brink__node guess_of(mo_low *lo, size_t n_by, const brink__node *by,
                            brink__node n)
{
  for (size_t i = 0; i <= lo->n_vars && depends(lo, n); i++)
    if (brink__substitute(lo->g, n_by, by, 1, &n, &n) < 0)
      return BRINK__NONE;
  return n;
}

static void guess_starts(mo_low *lo)
{
  size_t n_by = lo->n_symbols;
  brink__node *by = NULL;

  for (size_t i = 0; i < lo->n_vars; i++) {
    brink__flat_var *v = &lo->vars[i];
    if (!depends(lo, v->start))
      continue;
    if (!by) {
      by = brink__lo_take(lo, (n_by + 1) * sizeof *by);
      if (!by || !guesses(lo, by))
        return;
    }
    v->start_found = v->start;
    v->start = guess_of(lo, n_by, by, v->start);
    if (!v->start || depends(lo, v->start))
      brink__lo_error(lo, (mo_at){v->at.line, v->at.col},
                      "the start value of '%s' depends on itself", v->name);
  }
}

void brink__lo_dependent_parameters(mo_low *lo)
{
  int again = 1;

  while (again) {
    again = 0;
    for (size_t i = 0; i < lo->n_vars; i++)
      if (lo->vars[i].variability == BRINK__PARAMETER &&
          depends(lo, lo->vars[i].binding)) {
        become_variable(lo, (int32_t)i);
        again = 1;
      }
  }
  guess_starts(lo);
  for (size_t i = 0; i < lo->n_vars; i++)
    if (lo->vars[i].variability > BRINK__PARAMETER)
      lo->vars[i].binding = BRINK__NONE; /* an equation, or none */
}
