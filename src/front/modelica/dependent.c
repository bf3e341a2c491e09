/* dependent.c -- variables that are differentiated but are functions of states.
 *
 * With dphi = phi2 - phi1 and der(dphi) in an equation, dphi is no state of its own:
 * its derivative is that of the right side.  Equations v = e, where v and all variables
 * of e are differentiated somewhere, are found here and der(v) is replaced by the
 * derivative of e everywhere.  Other constraints between states are left to dae/.
 *
 * der(der(x)) has made a hidden variable h = der(x); where another equation says what
 * der(x) is, h is that, so that it can be found dependent too.
 */
#include "front/modelica/lower.h"

#include <string.h>

enum { PASSES = 20 }; /* chains of such variables */

/* what is known of a variable */
enum {
  READ = 1,     /* in this pass, by what replaces another: not replaced in the same   */
  REPLACED = 2, /* it is no state any more                                            */
  STAYS = 4,    /* set by reinit: a state in any case                                 */
  JUST = 8      /* replaced in this very pass: not yet fit to replace others          */
};

typedef struct work {
  mo_low *lo;
  unsigned char *kept; /* [vars] READ ...                           */
  unsigned char *used; /* [eqns] it has been read as v = e          */
  brink__node *by;     /* [symbols] what stands for a derivative    */
  size_t n, found;
} work;

static int is_state(const mo_low *lo, int32_t var)
{
  return lo->vars[var].variability == BRINK__CONTINUOUS && lo->vars[var].der >= 0;
}

/* Is `e` made of states other than v, of time and of what is fixed between events? */
static int of_states(work *w, int32_t v, brink__node e)
{
  mo_low *lo = w->lo;
  brink__pattern p;
  int ok = 1;

  if (brink__pattern_new(lo->g, 1, &e, 0, NULL, &p) < 0) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  for (size_t k = 0; k < p.nnz && ok; k++) {
    const mo_symbol *s = &lo->symbols[p.col[k]];
    if (s->kind == MO_SYM_DER || s->kind == MO_SYM_DELAY)
      ok = 0;
    if (s->kind != MO_SYM_VALUE || s->variability != BRINK__CONTINUOUS)
      continue;
    ok = s->index != v && is_state(lo, s->index) && !(w->kept[s->index] & JUST);
  }
  brink__pattern_drop(&p);
  return ok;
}

static void keep(work *w, brink__node e)
{
  brink__pattern p;

  if (brink__pattern_new(w->lo->g, 1, &e, 0, NULL, &p) < 0)
    return;
  for (size_t k = 0; k < p.nnz; k++)
    if (w->lo->symbols[p.col[k]].kind == MO_SYM_VALUE)
      w->kept[w->lo->symbols[p.col[k]].index] |= READ;
  brink__pattern_drop(&p);
}

static void put(work *w, brink__node *n)
{
  if (*n && brink__substitute(w->lo->g, w->n, w->by, 1, n, n) < 0)
    brink__diag_nomem(w->lo->diag);
}

static int replace(work *w, const brink__flat_eqn *eqn, brink__node side, brink__node e)
{
  mo_low *lo = w->lo;
  int32_t v = brink__lo_var_of(lo, side);
  mo_env env = {NULL, 0, -1};

  if (v < 0 || !is_state(lo, v) || w->kept[v] || !of_states(w, v, e))
    return 0;
  mo_at at = {eqn->at.line, eqn->at.col};
  brink__node der = brink__lo_der(lo, &env, at, e);
  put(w, &der); /* variables that were replaced before */
  if (!der || (size_t)lo->vars[v].der >= w->n)
    return 0;
  w->by[lo->vars[v].der] = der;
  w->kept[v] = REPLACED | JUST;
  keep(w, e);
  w->found++;
  return 1;
}

/* ------------------------------------------------------------ substitution ---- */

static void put_sink(work *w, mo_sink *sink)
{
  for (size_t i = 0; i < sink->n; i++) {
    put(w, &sink->v[i].lhs);
    put(w, &sink->v[i].rhs);
  }
}

static void put_action(work *w, brink__flat_action *a)
{
  put(w, &a->cond);
  put(w, &a->value);
  for (int i = 0; i < a->n_parts; i++) /* in the pool of the model: ours to write */
    put(w, (brink__node *)(uintptr_t)&a->parts[i]);
}

static void put_whens(work *w)
{
  mo_low *lo = w->lo;

  for (size_t i = 0; i < lo->n_whens; i++)
    for (int b = 0; b < lo->whens[i].n_branches; b++) {
      const brink__flat_branch *br = &lo->whens[i].branches[b];
      for (int k = 0; k < br->n_conds; k++)
        put(w, (brink__node *)(uintptr_t)&br->conds[k]);
      for (int k = 0; k < br->n_actions; k++)
        put_action(w, (brink__flat_action *)(uintptr_t)&br->actions[k]);
    }
}

static void put_everywhere(work *w)
{
  mo_low *lo = w->lo;

  put_sink(w, &lo->eqns);
  put_sink(w, &lo->initial_eqns);
  for (size_t i = 0; i < lo->n_relations; i++) {
    put(w, &lo->relations[i].left);
    put(w, &lo->relations[i].right);
  }
  for (size_t i = 0; i < lo->n_stairs; i++)
    put(w, &lo->stairs[i].arg);
  for (size_t i = 0; i < lo->n_asserts; i++)
    put_action(w, &lo->asserts[i]);
  for (size_t i = 0; i < lo->n_delays; i++) {
    put(w, &lo->delays[i].arg);
    put(w, &lo->delays[i].by);
  }
  put_whens(w);
}

/* ---------------------------------------------------------- higher derivatives ---- */

/* the symbol of a derivative that a node is; -1: it is none */
static int32_t rate_of(const mo_low *lo, brink__node n)
{
  if (!n || brink__node_op(lo->g, n) != BRINK_OP_SYMBOL)
    return -1;
  int32_t id = brink__node_symbol(lo->g, n);
  return lo->symbols[id].kind == MO_SYM_DER ? id : -1;
}

static int is_hidden(const mo_low *lo, const brink__flat_eqn *e)
{
  int32_t v = brink__lo_var_of(lo, e->lhs);

  return v >= 0 && !lo->var_inst[v] && rate_of(lo, e->rhs) >= 0;
}

/* h = der(x), der(x) = e: h = e */
static void name_rates(work *w)
{
  mo_low *lo = w->lo;
  size_t *said = brink__alloc(lo->ctx, w->n * sizeof *said); /* 1 + equation */

  if (!said) {
    brink__diag_nomem(lo->diag);
    return;
  }
  memset(said, 0, w->n * sizeof *said);
  for (size_t i = 0; i < lo->eqns.n; i++) {
    const brink__flat_eqn *e = &lo->eqns.v[i];
    int32_t l = rate_of(lo, e->lhs), r = rate_of(lo, e->rhs);
    if (!is_hidden(lo, e) && (l < 0) != (r < 0))
      said[l < 0 ? r : l] = i + 1;
  }
  for (size_t i = 0; i < lo->eqns.n; i++) {
    brink__flat_eqn *h = &lo->eqns.v[i];
    size_t k = is_hidden(lo, h) ? said[rate_of(lo, h->rhs)] : 0;
    const brink__flat_eqn *e = k ? &lo->eqns.v[k - 1] : NULL;
    if (e && e->mode == h->mode)
      h->rhs = rate_of(lo, e->lhs) < 0 ? e->lhs : e->rhs;
  }
  brink__free(lo->ctx, said, w->n * sizeof *said);
}

/* ------------------------------------------------------------------- face ---- */

/* states that are set by reinit stay states */
static void keep_reinits(work *w)
{
  const mo_low *lo = w->lo;

  for (size_t i = 0; i < lo->n_whens; i++)
    for (int b = 0; b < lo->whens[i].n_branches; b++)
      for (int k = 0; k < lo->whens[i].branches[b].n_actions; k++) {
        const brink__flat_action *a = &lo->whens[i].branches[b].actions[k];
        if (a->kind == BRINK__REINIT)
          w->kept[a->var] = STAYS;
      }
}

static size_t pass(work *w)
{
  mo_low *lo = w->lo;

  w->found = 0;
  for (size_t i = 0; i < lo->n_vars; i++)
    w->kept[i] &= REPLACED | STAYS;
  for (size_t i = 0; i < lo->eqns.n && !brink__diag_full(lo->diag); i++) {
    const brink__flat_eqn *e = &lo->eqns.v[i];
    if (!w->used[i])
      w->used[i] = replace(w, e, e->lhs, e->rhs) || replace(w, e, e->rhs, e->lhs);
  }
  if (w->found)
    put_everywhere(w);
  return w->found;
}

void brink__lo_dependent(mo_low *lo)
{
  work w = {.lo = lo, .n = lo->n_symbols + 1};
  int states = 0;

  for (size_t i = 0; i < lo->n_vars && !states; i++)
    states = lo->vars[i].der >= 0;
  if (!states)
    return;
  w.kept = brink__alloc(lo->ctx, lo->n_vars + 1);
  w.by = brink__alloc(lo->ctx, w.n * sizeof *w.by);
  size_t n_used = lo->eqns.n + 1;
  w.used = brink__alloc(lo->ctx, n_used);
  if (w.kept && w.by && w.used) {
    memset(w.kept, 0, lo->n_vars + 1);
    memset(w.used, 0, n_used);
    memset(w.by, 0, w.n * sizeof *w.by);
    keep_reinits(&w);
    name_rates(&w);
    for (int i = 0; i < PASSES && lo->diag->status == BRINK_OK && pass(&w); i++)
      continue;
    for (size_t i = 0; i < lo->n_vars; i++)
      if (w.kept[i] & REPLACED)
        lo->vars[i].der = -1;
  } else
    brink__diag_nomem(lo->diag);
  brink__free(lo->ctx, w.kept, lo->n_vars + 1);
  brink__free(lo->ctx, w.used, n_used);
  brink__free(lo->ctx, w.by, w.n * sizeof *w.by);
}
