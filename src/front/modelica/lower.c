/* lower.c -- from the tree of a file to a flat model: choose, instantiate, lower.
 *
 * Time and memory grow linearly with the number of scalars and of nodes.
 */
#include "front/modelica/lower.h"

#include <stdio.h>
#include <string.h>

#include "front/modelica/parse.h"

/* ------------------------------------------------------------------- choice ---- */

static int is_model(const mo_class *c)
{
  int kind = c->kind == MO_C_MODEL || c->kind == MO_C_CLASS || c->kind == MO_C_BLOCK;

  return kind && !(c->flags & MO_CLASS_PARTIAL) &&
         (c->form == MO_LONG || c->form == MO_SHORT);
}

/* the last model of a list of classes, looking into packages */
static const mo_class *last_model(const mo_class *c)
{
  if (is_model(c))
    return c;
  for (int i = c->kind == MO_C_PACKAGE ? c->n_elements - 1 : -1; i >= 0; i--)
    if (c->elements[i]->kind == MO_E_CLASS) {
      const mo_class *found = last_model(c->elements[i]->cls);
      if (found)
        return found;
    }
  return NULL;
}

static const mo_class *inner_class(const mo_class *c, const char *name, size_t n)
{
  for (int i = 0; i < c->n_elements; i++) {
    const mo_class *k = c->elements[i]->kind == MO_E_CLASS ? c->elements[i]->cls : NULL;
    if (k && strlen(k->name->bare) == n && strncmp(k->name->bare, name, n) == 0)
      return k;
  }
  return NULL;
}

/* follow path below c, or from the top (c == NULL); bare names may contain dots */
static const mo_class *named(const mo_file *f, const mo_class *c, const char *path)
{
  const mo_class *found = NULL;

  for (size_t n = strlen(path); n > 0 && !found; n--) {
    const mo_class *k = NULL;
    if (path[n] && path[n] != '.')
      continue;
    if (c)
      k = inner_class(c, path, n);
    for (int i = 0; !c && !k && i < f->n_classes; i++)
      if (strlen(f->classes[i]->name->bare) == n &&
          strncmp(f->classes[i]->name->bare, path, n) == 0)
        k = f->classes[i];
    if (k)
      found = path[n] ? named(f, k, path + n + 1) : k;
  }
  return found;
}

static void offer(const mo_class *c, const char *wanted, const char **best,
                  int *distance)
{
  int d = is_model(c) ? brink__lo_far(wanted, c->name->bare) : *distance;

  if (d < *distance) {
    *distance = d;
    *best = c->name->bare;
  }
  for (int i = 0; i < c->n_elements; i++)
    if (c->elements[i]->kind == MO_E_CLASS)
      offer(c->elements[i]->cls, wanted, best, distance);
}

static const mo_class *choose(mo_low *lo)
{
  const mo_file *f = lo->file;
  const mo_class *c = NULL;
  const char *want = lo->opt ? lo->opt->model : NULL;

  for (int i = f->n_classes - 1; !want && !c && i >= 0; i--)
    c = last_model(f->classes[i]);
  if (want)
    c = named(f, NULL, want);
  if (c && is_model(c))
    return c;
  if (!want)
    brink__lo_error(lo, (mo_at){1, 1}, "there is no model in this file");
  else if (c)
    brink__lo_error(lo, c->at, "'%s' is a %s%s, not a model that can be run", want,
                    c->flags & MO_CLASS_PARTIAL ? "partial " : "",
                    brink__mo_class_word(c->kind));
  else {
    const char *best = NULL;
    int distance = MO_FAR;
    for (int i = 0; i < f->n_classes; i++)
      offer(f->classes[i], want, &best, &distance);
    lo->set_status = /* not the model's fault but the user's */
        brink__fail(&lo->set_err, BRINK_ENAME,
                    "there is no model '%.80s' in %.120s%s%.40s%s", want,
                    lo->file->name, best ? "; did you mean '" : "", best ? best : "",
                    best ? "'?" : "");
  }
  return NULL;
}

/* ------------------------------------------------------------------- checks ---- */

typedef struct frame {
  brink__node n;
  int next;
} frame;

/* the variable whose binding a symbol stands for; BRINK__NONE: it has none */
static brink__node below(const mo_low *lo, brink__node n, int i)
{
  brink__op op = brink__node_op(lo->g, n);

  if (op != BRINK_OP_SYMBOL)
    return i < brink__op_arity(op) ? brink__node_arg(lo->g, n, i) : BRINK__NONE;
  int32_t var = brink__lo_var_of(lo, n);
  return i == 0 && var >= 0 ? lo->vars[var].binding : BRINK__NONE;
}

/* depth first from one node; marks: 0 new, 1 on the way, 2 done */
static int cyclic(mo_low *lo, brink__node from, unsigned char *mark, frame **stack,
                  size_t *cap)
{
  size_t n = 0;

  if (!from || mark[from])
    return 0;
  if (!brink__lo_push(lo, (void **)stack, cap, n, sizeof **stack))
    return 0;
  (*stack)[n++] = (frame){from, 0};
  mark[from] = 1;
  while (n) {
    frame *f = &(*stack)[n - 1];
    brink__node k = f->next < 3 ? below(lo, f->n, f->next++) : BRINK__NONE;
    if (!k && f->next >= 3) {
      mark[f->n] = 2;
      n--;
      continue;
    }
    if (!k) {
      f->next = 3;
      continue;
    }
    if (mark[k] == 1)
      return 1;
    if (mark[k])
      continue;
    mark[k] = 1;
    if (!brink__lo_push(lo, (void **)stack, cap, n, sizeof **stack))
      return 0;
    (*stack)[n++] = (frame){k, 0};
  }
  return 0;
}

static void check_parameters(mo_low *lo)
{
  size_t size = (size_t)brink__graph_size(lo->g) + 1, cap = 0;
  unsigned char *mark = brink__alloc(lo->ctx, size);
  frame *stack = NULL;

  if (!mark) {
    brink__diag_nomem(lo->diag);
    return;
  }
  memset(mark, 0, size);
  for (size_t i = 0; i < lo->n_vars; i++)
    if (cyclic(lo, lo->vars[i].binding, mark, &stack, &cap)) {
      brink__lo_error(lo, (mo_at){lo->vars[i].at.line, lo->vars[i].at.col},
                      "the value of '%s' depends on itself", lo->vars[i].name);
      break;
    }
  if (cap)
    brink__free(lo->ctx, stack, cap * sizeof *stack);
  brink__free(lo->ctx, mark, size);
}

static void make_states(mo_low *lo)
{
  for (size_t i = 0; i < lo->n_whens; i++)
    for (int b = 0; b < lo->whens[i].n_branches; b++)
      for (int k = 0; k < lo->whens[i].branches[b].n_actions; k++) {
        const brink__flat_action *a = &lo->whens[i].branches[b].actions[k];
        mo_at at = {a->at.line, a->at.col};
        if (a->kind == BRINK__REINIT && !brink__lo_make_state(lo, at, a->var))
          brink__lo_error(lo, at,
                          "'reinit' needs a state: "
                          "der(%s) appears nowhere",
                          lo->vars[a->var].name);
      }
}

/* -------------------------------------------------------------------- hand over ----
 */

static void *hand_over(mo_low *lo, void *v, size_t n, size_t elem)
{
  void *copy = brink__pool_take(&lo->flat->pool, (n + 1) * elem);

  if (!copy)
    brink__diag_nomem(lo->diag);
  else if (n)
    memcpy(copy, v, n * elem);
  return copy;
}

/* Keep the equations without the definitions of variables that stand for derivatives.
 */
static void keep_natural(mo_low *lo)
{
  brink__flat *f = lo->flat;

  f->natural = hand_over(lo, lo->eqns.v, lo->eqns.n, sizeof *lo->eqns.v);
  if (!f->natural)
    return;
  for (size_t i = 0; i < lo->eqns.n; i++) {
    int32_t v = brink__lo_var_of(lo, f->natural[i].lhs);
    if (v < 0 || !lo->vars[v].derivative_of)
      f->natural[f->n_natural++] = f->natural[i];
  }
}

static void derivatives(mo_low *lo)
{
  int32_t *of = brink__pool_take(&lo->flat->pool, lo->n_symbols * sizeof *of);

  if (!of)
    brink__diag_nomem(lo->diag);
  for (size_t i = 0; of && i < lo->n_symbols; i++)
    of[i] = lo->symbols[i].kind == MO_SYM_DER ? lo->symbols[i].index : -1;
  lo->flat->derivative = of;
}

static void finish(mo_low *lo)
{
  brink__flat *f = lo->flat;

#define HAND_OVER(field)                                                               \
  f->field = hand_over(lo, lo->field, lo->n_##field, sizeof *lo->field);               \
  f->n_##field = lo->n_##field
  HAND_OVER(vars);
  HAND_OVER(relations);
  HAND_OVER(stairs);
  HAND_OVER(samples);
  HAND_OVER(delays);
  HAND_OVER(whens);
  HAND_OVER(asserts);
#undef HAND_OVER
  f->eqns = hand_over(lo, lo->eqns.v, lo->eqns.n, sizeof *lo->eqns.v);
  f->n_eqns = lo->eqns.n;
  f->initial_eqns =
      hand_over(lo, lo->initial_eqns.v, lo->initial_eqns.n, sizeof *lo->initial_eqns.v);
  f->n_initial_eqns = lo->initial_eqns.n;
  f->n_symbols = (int32_t)lo->n_symbols;
  derivatives(lo);
}

static void drop(mo_low *lo)
{
#define DROP(field)                                                                    \
  if (lo->cap_##field)                                                                 \
  brink__free(lo->ctx, lo->field, lo->cap_##field * sizeof *lo->field)
  DROP(structural);
  DROP(symbols);
  DROP(vary);
  DROP(vars);
  DROP(var_inst);
  DROP(in_when);
  DROP(relations);
  DROP(stairs);
  DROP(samples);
  DROP(delays);
  DROP(whens);
  DROP(asserts);
  DROP(places);
  DROP(modes);
  DROP(transitions);
#undef DROP
  if (lo->eqns.cap)
    brink__free(lo->ctx, lo->eqns.v, lo->eqns.cap * sizeof *lo->eqns.v);
  if (lo->initial_eqns.cap)
    brink__free(lo->ctx, lo->initial_eqns.v,
                lo->initial_eqns.cap * sizeof *lo->initial_eqns.v);
  if (lo->sets)
    brink__free(lo->ctx, lo->sets, lo->n_sets * sizeof *lo->sets);
  if (lo->in_set)
    brink__free(lo->ctx, lo->in_set, lo->n_sets);
  brink__lo_table_drop(&lo->table);
  brink__pool_drop(&lo->pool);
}

/* ------------------------------------------------------------------------ face ---- */

static void lower(mo_low *lo)
{
  const mo_class *cls = choose(lo);

  if (!cls || !brink__lo_instantiate(lo, cls) || brink__diag_full(lo->diag))
    return;
  lo->flat->name =
      brink__pool_str(&lo->flat->pool, cls->name->bare, strlen(cls->name->bare));
  if (!lo->flat->name)
    brink__diag_nomem(lo->diag);
  brink__lo_find_assigned(lo, lo->root);
  brink__lo_emit(lo, lo->root);
  brink__lo_attributes(lo, lo->root);
  brink__lo_dependent_parameters(lo);
  brink__lo_settings(lo, cls);
  brink__lo_sections(lo, lo->root);
  brink__lo_flows(lo);
  brink__lo_modes(lo);
  brink__lo_reflect(lo);
  brink__lo_bounds(lo);
  if (lo->diag->status == BRINK_OK)
    make_states(lo);
  if (lo->diag->status == BRINK_OK)
    keep_natural(lo);
  if (lo->diag->status == BRINK_OK) {
    check_parameters(lo);
    brink__lo_structural(lo);
  }
  brink__lo_check_set(lo);
}

static brink_status new_flat(mo_low *lo)
{
  brink__pool pool = {.ctx = lo->ctx};
  brink__flat *f = brink__pool_take(&pool, sizeof *f);

  if (!f)
    return brink__diag_nomem(lo->diag);
  const char *file = lo->file->name ? lo->file->name : "";
  f->file = brink__pool_str(&pool, file, strlen(file));
  f->name = "";
  f->initial = f->terminal = -1;
  f->base = lo->file->base != NULL;
  f->pool = pool;
  lo->flat = f;
  if (!f->file || brink__graph_new(lo->ctx, &f->graph) < 0)
    return brink__diag_nomem(lo->diag);
  lo->g = f->graph;
  if (brink__lo_symbol(lo, MO_SYM_TIME, 0, BRINK__CONTINUOUS) != BRINK__TIME)
    return brink__diag_nomem(lo->diag);
  return BRINK_OK;
}

brink_status brink__mo_lower(brink_ctx *ctx, mo_file *file, const brink_load_opts *opt,
                             brink__diag *diag, brink__flat **out)
{
  mo_low lo = {.ctx = ctx, .file = file, .diag = diag, .opt = opt};

  *out = NULL;
  brink__err_clear(&ctx->err);
  lo.pool.ctx = lo.table.ctx = ctx;
  lo.initial_eqns.initial = 1;
  int n_set = opt ? opt->n_set : 0;
  lo.set_used = brink__lo_take(&lo, (size_t)n_set + 1);
  if (lo.set_used && new_flat(&lo) == BRINK_OK) {
    lower(&lo);
    if (diag->status == BRINK_OK && lo.set_status == BRINK_OK)
      finish(&lo);
  }
  if (ctx->err.status == BRINK_ENOMEM) /* a node that was not made */
    brink__diag_nomem(diag);
  brink_status rc = brink__diag_status(diag, &ctx->err);
  if (rc == BRINK_OK && lo.set_status != BRINK_OK) {
    ctx->err = lo.set_err;
    rc = lo.set_status;
  }
  if (rc == BRINK_OK)
    *out = lo.flat;
  else
    brink__flat_free(lo.flat);
  drop(&lo);
  return rc;
}
