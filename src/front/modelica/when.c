/* when.c -- when-clauses: conditions, and what happens when one becomes true.
 *
 * An `if` inside a when is carried by its values: a variable that a branch does not
 * set keeps its left limit, and reinit, terminate and assert get a condition.
 */
#include "front/modelica/calls.h"

#include <string.h>

#include "front/modelica/parse.h"

static void body(mo_low *lo, const mo_env *env, const mo_block *block, mo_actions *out);

void brink__lo_actions_drop(mo_low *lo, mo_actions *a)
{
  if (a->cap)
    brink__free(lo->ctx, a->v, a->cap * sizeof *a->v);
  *a = (mo_actions){0};
}

/* what the list assigns to var; NULL: nothing */
static const brink__flat_action *assigned(const mo_low *lo, const mo_actions *list,
                                          int var)
{
  uintptr_t number =
      list->owner ? (uintptr_t)brink__lo_get(&lo->table, list->owner, MO_KEY(var)) : 0;

  return number ? &list->v[number - 1] : NULL;
}

void brink__lo_action(mo_low *lo, mo_actions *out, const brink__flat_action *a)
{
  if (!brink__lo_push(lo, (void **)&out->v, &out->cap, out->n, sizeof *a))
    return;
  out->v[out->n++] = *a;
  if (a->kind != BRINK__ASSIGN)
    return;
  if (!out->owner)
    out->owner = brink__lo_take(lo, 1);
  if (out->owner &&
      !brink__lo_set(&lo->table, out->owner, MO_KEY(a->var), (void *)(uintptr_t)out->n))
    brink__diag_nomem(lo->diag);
}

/* ---------------------------------------------------------------- actions ---- */

static void assign_one(mo_low *lo, mo_at at, brink__node left, brink__node value,
                       mo_actions *out)
{
  int32_t var = brink__lo_var_of(lo, left);

  if (var < 0 || lo->vars[var].variability == BRINK__PARAMETER) {
    brink__lo_error(lo, at,
                    "the left side of an equation in a when must be a variable");
    return;
  }
  const brink__flat_action *first = assigned(lo, out, var);
  if (first) {
    brink__lo_error(lo, at, "'%s' is set twice in this branch, first in line %d",
                    lo->vars[var].name, first->at.line);
    return;
  }
  brink__flat_action a = {.kind = BRINK__ASSIGN,
                          .var = var,
                          .value = value,
                          .at = {at.line, at.col},
                          .text = ""};
  brink__lo_action(lo, out, &a);
}

static void assign_value(mo_low *lo, mo_at at, const mo_val *l, mo_val r,
                         mo_actions *out)
{
  if (l->base == MO_V_BAD || r.base == MO_V_BAD)
    return;
  if (l->base == MO_V_RECORD && r.base == MO_V_RECORD && l->n_fields == r.n_fields) {
    for (int i = 0; i < l->n_fields; i++)
      assign_value(lo, at, &l->fields[i], r.fields[i], out);
    return;
  }
  r = brink__lo_coerce(lo, at, r, l->base, l->cls, "the right side");
  if (r.base == MO_V_BAD)
    return;
  if (!brink__lo_same_shape(l, &r)) {
    brink__lo_error(lo, at, "the two sides of this equation differ: %s and %s",
                    brink__lo_type_text(lo, l), brink__lo_type_text(lo, &r));
    return;
  }
  if (l->base == MO_V_STRING) {
    brink__lo_no_text(lo, at);
    return;
  }
  for (size_t k = 0; k < brink__lo_count(l); k++)
    assign_one(lo, at, brink__lo_at(l, k), brink__lo_at(&r, k), out);
}

static void assign(mo_low *lo, const mo_env *env, const mo_stmt *s, mo_actions *out)
{
  brink__flat_action text;

  if (brink__lo_text_set(lo, env, s, &text)) {
    if (text.var >= 0)
      brink__lo_action(lo, out, &text);
    return;
  }
  if (s->left->kind == MO_TUPLE && s->left->args.n != 1) {
    int n;
    mo_val *v = brink__lo_outputs(lo, env, &s->left->args, s->right, &n);
    for (int i = 0; i < s->left->args.n && i < n; i++)
      if (s->left->args.v[i]) {
        mo_val left = brink__lo_expr(lo, env, s->left->args.v[i]);
        assign_value(lo, s->at, &left, v[i], out);
      }
    if (n && s->left->args.n > n)
      brink__lo_error(lo, s->at, "the function has only %d output%s", n,
                      n == 1 ? "" : "s");
    return;
  }
  mo_moving m;
  if (s->left->kind == MO_REF && brink__lo_moving(lo, env, s->left, &m)) {
    brink__lo_error(lo, s->at,
                    "the left side of an equation in a when has a subscript that "
                    "changes; use an algorithm");
    return;
  }
  mo_val l = brink__lo_expr(lo, env, s->left), r = brink__lo_expr(lo, env, s->right);
  assign_value(lo, s->at, &l, r, out);
}

/* state gets the value r; cond: see brink__flat_action */
static void reinit_to(mo_low *lo, const mo_env *env, mo_at at, const mo_expr *state,
                      mo_val r, brink__node cond, mo_actions *out)
{
  mo_val l = brink__lo_expr(lo, env, state);
  mo_moving m;

  if (l.base == MO_V_BAD || r.base == MO_V_BAD)
    return;
  if (l.base != MO_V_REAL || !brink__lo_same_shape(&l, &r)) {
    brink__lo_error(lo, at, "'reinit' cannot give %s to %s",
                    brink__lo_type_text(lo, &r), brink__lo_type_text(lo, &l));
    return;
  }
  if (state->kind == MO_REF && brink__lo_moving(lo, env, state, &m)) {
    brink__lo_watch_subscript(lo, at, m.index, m.size);
    for (int k = 1; k <= m.size; k++) {
      const mo_expr *one = brink__lo_with_subscript(lo, state, &m, k);
      brink__node is = brink__lo_apply(lo, at, BRINK_OP_EQ, m.index,
                                       brink__integer(lo->g, k), BRINK__NONE);
      if (one && is)
        reinit_to(lo, env, at, one, r,
                  cond ? brink__op2(lo->g, BRINK_OP_AND, cond, is) : is, out);
    }
    return;
  }
  for (size_t k = 0; k < brink__lo_count(&l); k++) {
    int32_t var = brink__lo_var_of(lo, brink__lo_at(&l, k));
    if (var < 0 || lo->vars[var].variability != BRINK__CONTINUOUS) {
      brink__lo_error(lo, state->at, "'reinit' needs a continuous variable");
      return;
    }
    brink__flat_action a = {.kind = BRINK__REINIT,
                            .var = var,
                            .cond = cond,
                            .value = brink__lo_at(&r, k),
                            .at = {at.line, at.col},
                            .text = ""};
    brink__lo_action(lo, out, &a);
  }
}

static void reinit(mo_low *lo, const mo_env *env, const mo_stmt *s, mo_actions *out)
{
  call c = {lo, env, s->left, s->left->call, "reinit", "x,expr"};

  if (!brink__call_names(&c))
    return;
  const mo_expr *x = brink__call_argument(&c, 0), *value = brink__call_argument(&c, 1);
  if (!x || !value || c.c->n != 2) {
    brink__lo_error(lo, s->at, "'reinit' takes a state and its new value");
    return;
  }
  mo_val r = brink__lo_expr(lo, env, value);
  r = brink__lo_coerce(lo, value->at, r, MO_V_REAL, NULL, "the new value");
  reinit_to(lo, env, s->at, x, r, BRINK__NONE, out);
}

static void terminate(mo_low *lo, const mo_env *env, const mo_stmt *s, mo_actions *out)
{
  call c = {lo, env, s->left, s->left->call, "terminate", "message"};
  brink__flat_action a = {
      .kind = BRINK__TERMINATE, .var = -1, .at = {s->at.line, s->at.col}, .text = ""};

  if (!brink__call_names(&c))
    return;
  if (c.c->n != 1) {
    brink__lo_error(lo, s->at, "'terminate' takes a message");
    return;
  }
  a.text = brink__lo_message(lo, env, c.c->args[0].value, &a);
  brink__lo_action(lo, out, &a);
}

static int is_call(const mo_expr *e, const char *name)
{
  return e->kind == MO_CALL && e->call->fn.n == 1 &&
         strcmp(e->call->fn.parts[0].name->text, name) == 0;
}

void brink__lo_when_call(mo_low *lo, const mo_env *env, const mo_stmt *s,
                         mo_actions *out)
{
  brink__flat_action a;

  if (is_call(s->left, "reinit"))
    reinit(lo, env, s, out);
  else if (is_call(s->left, "terminate"))
    terminate(lo, env, s, out);
  else if (is_call(s->left, "assert")) {
    brink__lo_assert(lo, env, s->left, &a);
    if (a.value)
      brink__lo_action(lo, out, &a);
  } else if (brink__lo_expr(lo, env, s->left).base != MO_V_BAD)
    brink__lo_error(lo, s->at, "this call has no effect; use its value in an equation");
}

/* -------------------------------------------------------------- if, for ---- */

static brink__node both(mo_low *lo, brink__node a, brink__node b)
{
  return a && b ? brink__op2(lo->g, BRINK_OP_AND, a, b) : a ? a : b;
}

static void merge_assign(mo_low *lo, const mo_env *env, const brink__node *cond,
                         const mo_actions *list, int n, int b,
                         const brink__flat_action *a, mo_actions *out)
{
  mo_at at = {a->at.line, a->at.col};

  for (int i = 0; i < b; i++)
    if (assigned(lo, &list[i], a->var))
      return; /* done with that branch */
  brink__node keep = brink__lo_pre(lo, env, at, brink__lo_value(lo, a->var));
  brink__node v = keep;
  for (int i = n - 1; i >= 0; i--) {
    const brink__flat_action *given = assigned(lo, &list[i], a->var);
    brink__node own = given ? given->value : keep;
    v = cond[i] ? brink__lo_apply(lo, at, BRINK_OP_SELECT, cond[i], own, v) : own;
  }
  brink__node left = brink__lo_value(lo, a->var);
  if (v)
    assign_one(lo, at, left, v, out);
}

static void merge(mo_low *lo, const mo_env *env, const brink__node *cond,
                  const mo_actions *list, int n, mo_actions *out)
{
  brink__node before = BRINK__NONE;

  for (int b = 0; b < n; b++) {
    brink__node here = both(lo, before, cond[b]);
    for (size_t k = 0; k < list[b].n; k++) {
      brink__flat_action a = list[b].v[k];
      switch (a.kind) {
      case BRINK__ASSIGN: merge_assign(lo, env, cond, list, n, b, &a, out); continue;
      case BRINK__REINIT:
      case BRINK__PUSH:
      case BRINK__TERMINATE: a.cond = both(lo, here, a.cond); break;
      case BRINK__ASSERT:
        if (here)
          a.value = brink__op2(lo->g, BRINK_OP_OR,
                               brink__op1(lo->g, BRINK_OP_NOT, here), a.value);
        break;
      }
      brink__lo_action(lo, out, &a);
    }
    if (cond[b])
      before = both(lo, before, brink__op1(lo->g, BRINK_OP_NOT, cond[b]));
  }
}

static void conditional(mo_low *lo, const mo_env *env, const mo_stmt *s,
                        mo_actions *out)
{
  size_t most = (size_t)s->n_branches + 1;
  brink__node *cond = brink__lo_take(lo, most * sizeof *cond);
  mo_actions *list = brink__lo_take(lo, most * sizeof *list);
  int n = 0, bad = 0;

  if (!cond || !list)
    return;
  for (int i = 0; i < s->n_branches; i++) {
    const mo_branch *b = &s->branches[i];
    double v = 1;
    cond[n] = BRINK__NONE;
    if (b->cond) {
      cond[n] = brink__lo_expr_as(lo, env, b->cond, MO_V_BOOLEAN, "a condition");
      bad |= !cond[n];
      if (brink__lo_const(lo, cond[n], &v))
        cond[n] = BRINK__NONE;
    }
    if (v == 0)
      continue;
    lo->actions = &list[n]; /* merge() adds the condition */
    body(lo, env, &b->body, &list[n]);
    lo->actions = out;
    if (!cond[n++] && !bad)
      break;
  }
  if (!bad)
    merge(lo, env, cond, list, n, out);
  for (int i = 0; i < n; i++)
    brink__lo_actions_drop(lo, &list[i]);
}

static void loop(mo_low *lo, const mo_env *env, const mo_stmt *s, int i,
                 mo_actions *out)
{
  const mo_block *block = &s->branches[0].body;
  mo_val values;

  if (i == s->n_iters) {
    body(lo, env, block, out);
    return;
  }
  if (!brink__lo_iterate(lo, env, &(mo_loop){s->iters, s->n_iters, block, NULL}, i,
                         &values))
    return;
  for (int k = 0; k < values.dims[0] && !brink__diag_full(lo->diag); k++) {
    mo_val one = brink__lo_element(lo, &values, &k, 1);
    mo_scope scope = *env->scope;
    mo_local local = {scope.locals, s->iters[i].name, &one, 0, 0};
    mo_env inner = *env;
    scope.locals = &local;
    inner.scope = &scope;
    loop(lo, &inner, s, i + 1, out);
  }
}

static void body(mo_low *lo, const mo_env *env, const mo_block *block, mo_actions *out)
{
  for (int i = 0; i < block->n && !brink__diag_full(lo->diag); i++) {
    const mo_stmt *s = block->v[i];
    switch (s->kind) {
    case MO_EQUALS: assign(lo, env, s, out); break;
    case MO_DO: brink__lo_when_call(lo, env, s, out); break;
    case MO_IFS: conditional(lo, env, s, out); break;
    case MO_FORS: loop(lo, env, s, 0, out); break;
    case MO_WHEN:
      brink__lo_error(lo, s->at, "a when cannot stand inside another when");
      break;
    case MO_CONNECT:
      brink__lo_error(lo, s->at, "'connect' cannot stand inside a when");
      break;
    case MO_ASSIGN:
    case MO_WHILE:
    case MO_BREAK:
    case MO_RETURN:
      brink__lo_error(lo, s->at, "a statement has no meaning in an equation section");
      break;
    }
  }
}

/* ---------------------------------------------------------------- clauses ---- */

/* long chains lean to the left: only what is nested recurses */
void brink__lo_wish(mo_low *lo, brink__node n, brink_side side)
{
  brink__op op = brink__node_op(lo->g, n);

  while (op == BRINK_OP_AND || op == BRINK_OP_OR || op == BRINK_OP_NOT) {
    if (op != BRINK_OP_NOT)
      brink__lo_wish(lo, brink__node_arg(lo->g, n, 1), side);
    n = brink__node_arg(lo->g, n, 0);
    op = brink__node_op(lo->g, n);
  }
  if (op != BRINK_OP_SYMBOL)
    return;
  const mo_symbol *s = &lo->symbols[brink__node_symbol(lo->g, n)];
  if (s->kind == MO_SYM_RELATION && lo->relations[s->index].side < side)
    lo->relations[s->index].side = side;
}

static int conditions(mo_low *lo, const mo_env *env, const mo_expr *e,
                      brink__flat_branch *b)
{
  mo_val v = brink__lo_expr(lo, env, e);

  v = brink__lo_coerce(lo, e->at, v, MO_V_BOOLEAN, NULL, "the condition of a when");
  if (v.base == MO_V_BAD)
    return 0;
  size_t n = brink__lo_count(&v);
  brink__node *conds = brink__pool_take(&lo->flat->pool, (n + 1) * sizeof *conds);
  if (!conds) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  for (size_t k = 0; k < n; k++) {
    conds[k] = brink__lo_at(&v, k);
    if (brink__lo_varies(lo, conds[k]) == BRINK__CONTINUOUS) {
      brink__lo_error(lo, e->at,
                      "the condition of a when must make events; a relation in "
                      "noEvent() makes none");
      return 0;
    }
  }
  b->conds = conds;
  b->n_conds = (int)n;
  b->text = v.nd ? brink__mo_expr_text(&lo->flat->pool, e)
                 : brink__lo_text(lo, env, e, conds[0]);
  if (!b->text) {
    brink__diag_nomem(lo->diag);
    b->text = "";
  }
  return 1;
}

/* a parameter may be set at the start, if it is to be found there */
static void parameter(mo_low *lo, const brink__flat_action *a,
                      const brink__flat_branch *b)
{
  const mo_inst *inst = lo->var_inst[a->var];

  if (!inst || inst->variability != MO_PARAMETER)
    return;
  if (b->n_conds != 1 || brink__node_op(lo->g, b->conds[0]) != BRINK_OP_SYMBOL ||
      brink__node_symbol(lo->g, b->conds[0]) != lo->flat->initial)
    brink__lo_error(lo, (mo_at){a->at.line, a->at.col},
                    "the parameter '%s' is found at the start: only 'when initial()' "
                    "can set it",
                    lo->vars[a->var].name);
}

/* a variable belongs to one when */
static void claim(mo_low *lo, const mo_actions *list, const brink__flat_branch *b,
                  int32_t number)
{
  for (size_t i = 0; i < list->n; i++) {
    const brink__flat_action *a = &list->v[i];
    if (a->kind != BRINK__ASSIGN)
      continue;
    if (lo->in_when[a->var] && lo->in_when[a->var] != number)
      brink__lo_error(lo, (mo_at){a->at.line, a->at.col},
                      "'%s' is set by two when-clauses; "
                      "join them with 'elsewhen'",
                      lo->vars[a->var].name);
    lo->in_when[a->var] = number;
    if (b->n_conds)
      parameter(lo, a, b);
  }
}

static int keep_actions(mo_low *lo, const mo_actions *list, brink__flat_branch *b)
{
  brink__flat_action *v =
      brink__pool_take(&lo->flat->pool, (list->n + 1) * sizeof *list->v);

  if (!v) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  if (list->n)
    memcpy(v, list->v, list->n * sizeof *v);
  b->actions = v;
  b->n_actions = (int)list->n;
  return 1;
}

static int push_when(mo_low *lo, const brink__flat_when *w)
{
  if (!brink__lo_push(lo, (void **)&lo->whens, &lo->cap_whens, lo->n_whens, sizeof *w))
    return 0;
  lo->whens[lo->n_whens] = *w;
  lo->whens[lo->n_whens++].mode = lo->place;
  return 1;
}

int brink__lo_when_branch(mo_low *lo, const mo_env *env, const mo_branch *br,
                          mo_actions *list, brink_side side, brink__flat_branch *b)
{
  b->at = (brink__place){br->at.line, br->at.col};
  b->text = "";
  int ok = conditions(lo, env, br->cond, b);
  claim(lo, list, b, (int32_t)lo->n_whens + 1);
  for (int k = 0; ok && k < b->n_conds; k++)
    brink__lo_wish(lo, b->conds[k], side);
  return keep_actions(lo, list, b) && ok;
}

void brink__lo_when_add(mo_low *lo, const mo_stmt *s, const brink__flat_branch *b,
                        brink_side side, const char *locate)
{
  brink__flat_when w = {.at = {s->at.line, s->at.col},
                        .branches = b,
                        .n_branches = s->n_branches,
                        .side = side,
                        .locate = locate};

  push_when(lo, &w);
}

void brink__lo_when(mo_low *lo, const mo_env *env, const mo_stmt *s)
{
  brink__flat_branch *b =
      brink__pool_take(&lo->flat->pool, ((size_t)s->n_branches + 1) * sizeof *b);
  mo_env inside = *env;
  brink_side side;
  const char *locate;

  if (!b) {
    brink__diag_nomem(lo->diag);
    return;
  }
  inside.flags |= MO_IN_WHEN;
  brink__lo_when_settings(lo, &s->comment, &side, &locate);
  for (int i = 0; i < s->n_branches; i++) {
    mo_actions list = {0};
    lo->actions = &list;
    body(lo, &inside, &s->branches[i].body, &list);
    lo->actions = NULL;
    brink__lo_when_branch(lo, env, &s->branches[i], &list, side, &b[i]);
    brink__lo_actions_drop(lo, &list);
  }
  brink__lo_when_add(lo, s, b, side, locate);
}

/* terminate inside an if: when its condition becomes true, or is true at the start */
void brink__lo_when_terminate(mo_low *lo, const mo_env *env, const mo_stmt *s,
                              brink__node cond)
{
  brink__flat_when w = {.at = {s->at.line, s->at.col}, .locate = ""};
  brink__flat_branch *b = brink__pool_take(&lo->flat->pool, sizeof *b);
  brink__node *conds = brink__pool_take(&lo->flat->pool, 2 * sizeof *conds);
  mo_actions list = {0};

  if (!b || !conds) {
    brink__diag_nomem(lo->diag);
    return;
  }
  terminate(lo, env, s, &list);
  conds[0] = cond;
  conds[1] = both(lo, brink__lo_initial(lo), cond);
  *b = (brink__flat_branch){
      .conds = conds, .n_conds = 2, .at = w.at, .text = "terminate"};
  if (keep_actions(lo, &list, b)) {
    w.branches = b;
    w.n_branches = 1;
    push_when(lo, &w);
  }
  brink__lo_actions_drop(lo, &list);
}
