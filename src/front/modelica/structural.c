/* structural.c -- parameters whose value has decided what the model is made of: sizes,
 * ranges, components that exist, branches that were chosen.  Such a parameter can be
 * set only when the model is read.
 *
 * Every structural value is asked for by brink__lo_known, which notes the parameter
 * here.  Where an expression was evaluated only to see whether its value is known, and
 * it is not, what was noted is forgotten again.
 */
#include "front/modelica/lower.h"

void brink__lo_decides(mo_low *lo, mo_inst *inst, mo_at at)
{
  if (inst->variability != MO_PARAMETER || inst->decides.line)
    return;
  if (!brink__lo_push(lo, (void **)&lo->structural, &lo->cap_structural,
                      lo->n_structural, sizeof *lo->structural))
    return;
  inst->decides = at.line ? at : inst->decl->at;
  lo->structural[lo->n_structural++] = inst;
}

void brink__lo_undecide(mo_low *lo, size_t n)
{
  while (lo->n_structural > n)
    lo->structural[--lo->n_structural]->decides = (mo_at){0, 0};
}

/* The parameters that the binding of a structural one reads; list: [n] so far. */
static size_t behind(mo_low *lo, int32_t var, int32_t *list, size_t n)
{
  brink__pattern p;

  if (!lo->vars[var].binding)
    return n;
  if (brink__pattern_new(lo->g, 1, &lo->vars[var].binding, 0, NULL, &p) < 0) {
    brink__diag_nomem(lo->diag);
    return n;
  }
  for (size_t k = 0; k < p.nnz; k++) {
    const mo_symbol *s = &lo->symbols[p.col[k]];
    brink__flat_var *v = s->kind == MO_SYM_VALUE ? &lo->vars[s->index] : NULL;
    if (!v || v->variability != BRINK__PARAMETER || v->decides.line)
      continue;
    v->decides = lo->vars[var].decides;
    list[n++] = s->index;
  }
  brink__pattern_drop(&p);
  return n;
}

void brink__lo_structural(mo_low *lo)
{
  size_t size = (lo->n_vars + 1) * sizeof(int32_t), n = 0;
  int32_t *list = brink__alloc(lo->ctx, size);

  if (!list) {
    brink__diag_nomem(lo->diag);
    return;
  }
  for (size_t i = 0; i < lo->n_vars; i++) {
    const mo_inst *inst = lo->var_inst[i];
    brink__flat_var *v = &lo->vars[i];
    if (!inst || inst->variability != MO_PARAMETER)
      continue;
    v->found = v->variability != BRINK__PARAMETER;
    if (v->found)
      continue;
    v->final = brink__lo_is_final(inst);
    v->decides = (brink__place){inst->decides.line, inst->decides.col};
    if (v->decides.line)
      list[n++] = (int32_t)i;
  }
  for (size_t k = 0; k < n; k++)
    n = behind(lo, list[k], list, n);
  brink__free(lo->ctx, list, size);
}
