/* lower_eqn.c -- equation sections.
 *
 * An if-equation whose condition is known before the run is the branch it chooses.
 * Otherwise its branches must have as many equations each; those with the same left
 * side are joined to  left = if c then r1 else r2,  others to  0 = if c then l1 - r1
 * else l2 - r2  in their order.
 */
#include "front/modelica/calls.h"

#include <string.h>

/* --------------------------------------------------------------- equality ---- */

static int push_equation(mo_low *lo, mo_sink *sink, brink__node l, brink__node r,
                         mo_at at)
{
  if (sink->n >= MO_MAX_EQUATIONS) {
    brink__lo_hopeless(lo, at, "the model has more than %d equations",
                       MO_MAX_EQUATIONS);
    return 0;
  }
  if (!brink__lo_push(lo, (void **)&sink->v, &sink->cap, sink->n, sizeof *sink->v))
    return 0;
  sink->v[sink->n++] = (brink__flat_eqn){l, r, {at.line, at.col}, lo->place};
  return 1;
}

static const char *var_name(mo_low *lo, brink__node n)
{
  int32_t v = brink__lo_var_of(lo, n);

  return v >= 0 ? lo->vars[v].name : NULL;
}

/* Something that changes at events only cannot follow something continuous.  Alone on
 * the right side a Real may be what is given: der(x) = u; if it is not, there is an
 * equation too many. */
static int may_hold(mo_low *lo, mo_at at, const mo_sink *sink, brink__node a,
                    brink__node b, int on_right)
{
  int32_t v = brink__lo_var_of(lo, a);
  brink__type type = brink__node_type(lo->g, a);

  if (sink->initial || brink__lo_varies(lo, b) < BRINK__CONTINUOUS)
    return 1;
  if (v >= 0 && lo->vars[v].variability == BRINK__DISCRETE &&
      !(on_right && type == BRINK_TYPE_REAL)) {
    if (lo->algorithm && lo->var_inst[v] && lo->var_inst[v]->sites > 1)
      return 1; /* a choice between what its whens give and its left limit */
    if (lo->var_inst[v] && lo->var_inst[v]->in_when)
      brink__lo_error(lo, at,
                      "'%s' is set in a when; it cannot have an equation outside of "
                      "it",
                      lo->vars[v].name);
    else
      brink__lo_error(lo, at,
                      "the discrete variable '%s' cannot follow a continuous "
                      "expression; use a when or a relation",
                      lo->vars[v].name);
    return 0;
  }
  if (type != BRINK_TYPE_REAL && brink__node_type(lo->g, b) != BRINK_TYPE_REAL) {
    brink__lo_error(lo, at,
                    "an equation between Booleans or Integers must change at events "
                    "only; a relation in noEvent() does not");
    return 0;
  }
  return 1;
}

/* An equation that is to give a parameter its value; with unknowns on the right side
 * it may be meant for one of them. */
static int parameter_equation(mo_low *lo, mo_at at, const mo_sink *sink, brink__node a,
                              brink__node b)
{
  int32_t v = brink__lo_var_of(lo, a);

  if (sink->initial || v < 0 || lo->vars[v].variability != BRINK__PARAMETER ||
      brink__lo_varies(lo, b) > BRINK__PARAMETER)
    return 0;
  brink__lo_error(lo, at,
                  "the parameter '%s' cannot have an equation; give its value where "
                  "it is declared",
                  lo->vars[v].name);
  return 1;
}

static void equate_scalar(mo_low *lo, mo_at at, mo_sink *sink, brink__node l,
                          brink__node r)
{
  if (!l || !r || parameter_equation(lo, at, sink, l, r))
    return;
  if (!may_hold(lo, at, sink, l, r, 0) || !may_hold(lo, at, sink, r, l, 1))
    return;
  push_equation(lo, sink, l, r, at);
}

static int is_number(const mo_val *v)
{
  return v->base == MO_V_REAL || v->base == MO_V_INTEGER;
}

/* an Integer variable on the left cannot equal a Real; on the right it is read as one
 */
static int widen(mo_low *lo, mo_at at, const mo_val *whole, const mo_val *real)
{
  const char *name = whole->nd ? var_name(lo, whole->v[0]) : var_name(lo, whole->one);

  if (whole->base != MO_V_INTEGER || real->base != MO_V_REAL || !name)
    return 1;
  brink__lo_error(lo, at, "the Integer '%s' cannot equal a Real; use integer(...)",
                  name);
  return 0;
}

static void equate_records(mo_low *lo, mo_at at, const mo_env *env, const mo_val *l,
                           const mo_val *r, mo_sink *sink)
{
  for (int i = 0; i < l->n_fields; i++)
    for (int k = 0; k < r->n_fields; k++)
      if (l->names[i]->name == r->names[k]->name)
        brink__lo_equate(lo, at, env, &l->fields[i], &r->fields[k], sink);
}

void brink__lo_equate(mo_low *lo, mo_at at, const mo_env *env, const mo_val *left,
                      const mo_val *right, mo_sink *sink)
{
  if (left->base == MO_V_BAD || right->base == MO_V_BAD)
    return;
  int numbers = is_number(left) && is_number(right);
  if ((!numbers && (left->base != right->base || left->cls != right->cls)) ||
      !brink__lo_same_shape(left, right)) {
    brink__lo_error(lo, at, "the two sides of this equation differ: %s and %s",
                    brink__lo_type_text(lo, left), brink__lo_type_text(lo, right));
    return;
  }
  if (left->base == MO_V_RECORD) {
    equate_records(lo, at, env, left, right, sink);
    return;
  }
  if (left->base == MO_V_STRING)
    return; /* read where the variable is used, see strings.c */
  size_t n = brink__lo_count(left);
  if (n == 0 || !widen(lo, at, left, right))
    return;
  int real = numbers && left->base != right->base;
  for (size_t k = 0; k < n; k++) {
    brink__node l = brink__lo_at(left, k), r = brink__lo_at(right, k);
    if (real) {
      l = brink__op1(lo->g, BRINK_OP_REAL, l);
      r = brink__op1(lo->g, BRINK_OP_REAL, r);
    }
    equate_scalar(lo, at, sink, l, r);
  }
}

static void equation(mo_low *lo, const mo_env *env, const mo_stmt *s, mo_sink *sink)
{
  if (s->left->kind == MO_TUPLE && s->left->args.n != 1) {
    int n;
    mo_val *v = brink__lo_outputs(lo, env, &s->left->args, s->right, &n);
    for (int i = 0; i < s->left->args.n && i < n; i++)
      if (s->left->args.v[i]) {
        mo_val left = brink__lo_expr(lo, env, s->left->args.v[i]);
        brink__lo_equate(lo, s->at, env, &left, &v[i], sink);
      }
    if (n && s->left->args.n > n)
      brink__lo_error(lo, s->at, "the function has only %d output%s", n,
                      n == 1 ? "" : "s");
    return;
  }
  mo_val l = brink__lo_expr(lo, env, s->left), r = brink__lo_expr(lo, env, s->right);
  brink__lo_equate(lo, s->at, env, &l, &r, sink);
}

/* -------------------------------------------------------------------- for ---- */

static void loop(mo_low *lo, const mo_env *env, const mo_stmt *s, int i, mo_sink *sink)
{
  const mo_block *block = &s->branches[0].body;
  mo_val values;

  if (i == s->n_iters) {
    brink__lo_block(lo, env, block, sink);
    return;
  }
  if (!brink__lo_iterate(lo, env, &(mo_loop){s->iters, s->n_iters, block, NULL}, i,
                         &values))
    return;
  for (int k = 0; k < values.dims[0] && !brink__diag_full(lo->diag); k++) {
    if (!brink__lo_turn(lo, s->at))
      return;
    mo_val one = brink__lo_element(lo, &values, &k, 1);
    mo_scope scope = *env->scope;
    mo_local local = {scope.locals, s->iters[i].name, &one, 0, 0};
    mo_env inner = *env;
    int errors = lo->diag->n_errors;
    scope.locals = &local;
    inner.scope = &scope;
    loop(lo, &inner, s, i + 1, sink);
    if (lo->diag->n_errors > errors)
      return; /* the next turn would say the same */
  }
}

/* --------------------------------------------------------------------- if ---- */

typedef struct branches {
  brink__node *cond; /* [n], the last is BRINK__NONE: else */
  mo_sink *sinks;    /* [n] */
  int n;
} branches;

/* equation of `sink` with this left side, at k or later; moved to k */
static void line_up(mo_sink *sink, size_t k, brink__node lhs)
{
  for (size_t i = k; i < sink->n; i++)
    if (sink->v[i].lhs == lhs) {
      brink__flat_eqn e = sink->v[i];
      sink->v[i] = sink->v[k];
      sink->v[k] = e;
      return;
    }
}

static void join(mo_low *lo, const branches *b, size_t k, mo_sink *to)
{
  brink__graph *g = lo->g;
  brink__flat_eqn e = b->sinks[b->n - 1].v[k];
  mo_at at = {b->sinks[0].v[k].at.line, b->sinks[0].v[k].at.col};
  int same = 1;

  for (int i = 0; i < b->n; i++)
    same = same && b->sinks[i].v[k].lhs == e.lhs;
  brink__node r = same ? e.rhs : brink__sub(g, e.lhs, e.rhs);
  for (int i = 0; !same && i < b->n; i++)
    if (brink__node_type(g, b->sinks[i].v[k].lhs) == BRINK_TYPE_BOOLEAN ||
        brink__node_type(g, b->sinks[i].v[k].lhs) == BRINK_TYPE_ENUMERATION ||
        brink__node_type(g, b->sinks[i].v[k].rhs) == BRINK_TYPE_BOOLEAN) {
      brink__lo_error(lo, at,
                      "the branches of an if-equation must set the same Boolean or "
                      "enumeration variables");
      return;
    }
  for (int i = b->n - 2; i >= 0; i--) {
    const brink__flat_eqn *x = &b->sinks[i].v[k];
    brink__node yes = same ? x->rhs : brink__sub(g, x->lhs, x->rhs);
    r = brink__lo_apply(lo, at, BRINK_OP_SELECT, b->cond[i], yes, r);
  }
  push_equation(lo, to, same ? e.lhs : brink__real(g, 0), r, at);
}

static void merge(mo_low *lo, const mo_stmt *s, branches *b, mo_sink *to)
{
  int has_else = b->cond[b->n - 1] == BRINK__NONE;
  int errors = lo->diag->status != BRINK_OK;

  for (int i = 0; i < b->n; i++)
    if (b->sinks[i].n != b->sinks[0].n || (!has_else && b->sinks[i].n > 0)) {
      if (errors)
        return; /* an equation may be missing because it is wrong */
      if (!has_else)
        brink__lo_error(lo, s->at,
                        "this if-equation needs an 'else' with as many equations "
                        "as its other branches");
      else
        brink__lo_error(lo, s->at,
                        "the branches of this if-equation have %zu and %zu "
                        "equations; they must have the same number",
                        b->sinks[0].n, b->sinks[i].n);
      return;
    }
  for (size_t k = 0; k < b->sinks[0].n; k++) {
    for (int i = 1; i < b->n; i++)
      line_up(&b->sinks[i], k, b->sinks[0].v[k].lhs);
    join(lo, b, k, to);
  }
}

int brink__lo_decided(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  double v;
  mo_env inner = *env;
  size_t before = lo->n_structural;

  inner.flags |= MO_STRUCTURAL | MO_QUIET;
  brink__node n = brink__lo_expr_as(lo, &inner, e, MO_V_BOOLEAN, "a condition");
  if (n && brink__lo_const(lo, n, &v))
    return v != 0;
  brink__lo_undecide(lo, before);
  return -1;
}

/* 1: true, 0: false, -1: it changes, -2: bad */
static int decided(mo_low *lo, const mo_env *env, const mo_expr *e, brink__node *node)
{
  double v;

  *node = brink__lo_expr_as(lo, env, e, MO_V_BOOLEAN, "a condition");
  if (!*node)
    return -2;
  if (brink__lo_const(lo, *node, &v))
    return v != 0;
  if (brink__lo_varies(lo, *node) > BRINK__PARAMETER)
    return -1;
  return brink__lo_decided(lo, env, e);
}

static brink__node both(mo_low *lo, brink__node a, brink__node b)
{
  return a && b ? brink__op2(lo->g, BRINK_OP_AND, a, b) : a ? a : b;
}

static void conditional(mo_low *lo, const mo_env *env, const mo_stmt *s, mo_sink *sink)
{
  size_t n = (size_t)s->n_branches;
  branches b = {0};
  brink__node before = sink->cond;
  int bad = 0;

  b.cond = brink__lo_take(lo, (n + 1) * sizeof *b.cond);
  b.sinks = brink__lo_take(lo, (n + 1) * sizeof *b.sinks);
  if (!b.cond || !b.sinks)
    return;
  for (int i = 0; i < s->n_branches; i++) {
    const mo_branch *br = &s->branches[i];
    brink__node cond = BRINK__NONE;
    int how = br->cond ? decided(lo, env, br->cond, &cond) : 1;
    if (how == 0)
      continue;
    if (how == 1 && b.n == 0) { /* nothing else is possible */
      brink__lo_block(lo, env, &br->body, sink);
      return;
    }
    bad |= how == -2;
    mo_sink *own = &b.sinks[b.n];
    b.cond[b.n++] = how == 1 ? BRINK__NONE : cond;
    own->initial = sink->initial;
    own->cond = how == 1 ? before : both(lo, before, cond);
    lo->path = own->cond;
    if (how >= -1)
      brink__lo_block(lo, env, &br->body, own);
    lo->path = sink->cond;
    if (how == 1)
      break;
    if (cond)
      before = both(lo, before, brink__op1(lo->g, BRINK_OP_NOT, cond));
  }
  if (!bad && b.n)
    merge(lo, s, &b, sink);
  for (int i = 0; i < b.n; i++)
    if (b.sinks[i].cap)
      brink__free(lo->ctx, b.sinks[i].v, b.sinks[i].cap * sizeof *b.sinks[i].v);
}

/* ------------------------------------------------------------------ calls ---- */

static int is_call(const mo_expr *e, const char *name)
{
  return e->kind == MO_CALL && e->call->fn.n == 1 &&
         strcmp(e->call->fn.parts[0].name->text, name) == 0;
}

static int is_warning(mo_low *lo, const mo_expr *level)
{
  const char *last =
      level->kind == MO_REF && level->ref.n == 2 ? level->ref.parts[1].name->text : "";

  if (strcmp(last, "warning") == 0)
    return 1;
  if (strcmp(last, "error") != 0)
    brink__lo_error(lo, level->at,
                    "the level of an assert is AssertionLevel.error or "
                    "AssertionLevel.warning");
  return 0;
}

const char *brink__lo_message(mo_low *lo, const mo_env *env, const mo_expr *e,
                              brink__flat_action *out)
{
  mo_val v = brink__lo_expr(lo, env, e);

  v = brink__lo_coerce(lo, e->at, v, MO_V_STRING, NULL, "the message");
  if (v.base == MO_V_BAD)
    return "";
  if (v.n_parts) {
    brink__node *parts =
        brink__pool_take(&lo->flat->pool, (size_t)v.n_parts * sizeof *parts);
    if (!parts) {
      brink__diag_nomem(lo->diag);
      return "";
    }
    memcpy(parts, v.parts, (size_t)v.n_parts * sizeof *parts);
    out->parts = parts;
    out->n_parts = v.n_parts;
  }
  const char *text = brink__pool_str(&lo->flat->pool, v.text, strlen(v.text));
  if (!text)
    brink__diag_nomem(lo->diag);
  return text ? text : "";
}

void brink__lo_assert(mo_low *lo, const mo_env *env, const mo_expr *e,
                      brink__flat_action *out)
{
  call c = {lo, env, e, e->call, "assert", "condition,message,level"};

  *out = (brink__flat_action){
      .kind = BRINK__ASSERT, .at = {e->at.line, e->at.col}, .var = -1, .text = ""};
  if (!brink__call_names(&c))
    return;
  const mo_expr *cond = brink__call_argument(&c, 0),
                *message = brink__call_argument(&c, 1),
                *level = brink__call_argument(&c, 2);
  if (!cond || !message || e->call->n > 3) {
    brink__lo_error(lo, e->at,
                    "'assert' takes a condition, a message and perhaps a level");
    return;
  }
  out->value =
      brink__lo_expr_as(lo, env, cond, MO_V_BOOLEAN, "the condition of an assert");
  out->text = brink__lo_message(lo, env, message, out);
  if (level)
    out->warning = is_warning(lo, level);
}

void brink__lo_push_assert(mo_low *lo, brink__flat_action a)
{
  if (lo->path && a.value)
    a.value = brink__op2(lo->g, BRINK_OP_OR, brink__op1(lo->g, BRINK_OP_NOT, lo->path),
                         a.value);
  if (!a.value || lo->dry)
    return;
  if (lo->actions)
    brink__lo_action(lo, lo->actions, &a);
  else if (brink__lo_push(lo, (void **)&lo->asserts, &lo->cap_asserts, lo->n_asserts,
                          sizeof a))
    a.mode = lo->place, lo->asserts[lo->n_asserts++] = a;
}

brink__node brink__lo_initial(mo_low *lo)
{
  if (lo->flat->initial < 0)
    lo->flat->initial = brink__lo_symbol(lo, MO_SYM_FLAG, 0, BRINK__DISCRETE);
  if (lo->flat->initial < 0)
    return BRINK__NONE;
  return brink__symbol(lo->g, lo->flat->initial, BRINK_TYPE_BOOLEAN);
}

static void claim(mo_low *lo, const mo_env *env, const mo_stmt *s, int initial)
{
  brink__flat_action a;
  brink__node path = lo->path;

  brink__lo_assert(lo, env, s->left, &a);
  if (initial)
    lo->path = both(lo, path, brink__lo_initial(lo));
  brink__lo_push_assert(lo, a);
  lo->path = path;
}

static void call_equation(mo_low *lo, const mo_env *env, const mo_stmt *s,
                          mo_sink *sink)
{
  const mo_expr *e = s->left;

  if (brink__lo_mode_call(lo, env, s, sink))
    return;
  if (is_call(e, "assert"))
    claim(lo, env, s, sink->initial);
  else if (is_call(e, "reinit"))
    brink__lo_error(lo, s->at, "'reinit' has a meaning only inside a when");
  else if (is_call(e, "terminate")) {
    if (sink->cond && !sink->initial)
      brink__lo_when_terminate(lo, env, s, sink->cond);
    else
      brink__lo_error(lo, s->at, "'terminate' stands inside a when or an if");
  } else if (is_call(e, "prioritize"))
    return; /* Base Modelica: a hint for the choice of iteration variables */
  else if (brink__lo_expr(lo, env, e).base != MO_V_BAD)
    brink__lo_error(lo, s->at, "this call has no effect; use its value in an equation");
}

/* ------------------------------------------------------------------- face ---- */

static void statement(mo_low *lo, const mo_env *env, const mo_stmt *s, mo_sink *sink)
{
  switch (s->kind) {
  case MO_EQUALS: equation(lo, env, s, sink); return;
  case MO_DO: call_equation(lo, env, s, sink); return;
  case MO_IFS: conditional(lo, env, s, sink); return;
  case MO_FORS: loop(lo, env, s, 0, sink); return;
  case MO_WHEN:
    if (sink->initial)
      brink__lo_error(lo, s->at, "a when has no meaning in an initial section");
    else if (sink->cond)
      brink__lo_error(lo, s->at,
                      "a when cannot stand inside an if whose condition changes; "
                      "put the if inside the when");
    else
      brink__lo_when(lo, env, s);
    return;
  case MO_CONNECT:
    if (sink->initial || sink->cond)
      brink__lo_error(lo, s->at,
                      "'connect' cannot stand in an initial section or in an if "
                      "whose condition changes");
    else
      brink__lo_connect(lo, env, s);
    return;
  case MO_ASSIGN:
  case MO_WHILE:
  case MO_BREAK:
  case MO_RETURN:
    brink__lo_error(lo, s->at, "a statement has no meaning in an equation section");
    return;
  }
}

void brink__lo_block(mo_low *lo, const mo_env *env, const mo_block *block,
                     mo_sink *sink)
{
  for (int i = 0; i < block->n && !brink__diag_full(lo->diag); i++)
    statement(lo, env, block->v[i], sink);
}

static void own_sections(mo_low *lo, const mo_scope *scope)
{
  for (int i = 0; i < scope->cls->n_sections; i++) {
    const mo_section *s = &scope->cls->sections[i];
    mo_env env = {scope, s->initial ? MO_INITIAL : 0, -1};
    if (s->algorithm)
      brink__lo_algorithm(lo, &env, s);
    else
      brink__lo_block(lo, &env, &s->body, s->initial ? &lo->initial_eqns : &lo->eqns);
  }
}

void brink__lo_sections(mo_low *lo, mo_inst *inst)
{
  if (inst->absent || (inst->base != MO_V_CLASS && inst->base != MO_V_RECORD))
    return;
  for (int i = 0; i < inst->n_kids && !brink__diag_full(lo->diag); i++)
    brink__lo_sections(lo, inst->kids[i]);
  lo->place = brink__lo_place(lo, inst);
  for (const mo_heir *h = inst->nd ? NULL : inst->heirs; h; h = h->next)
    own_sections(lo, &h->scope);
  lo->place = 0;
}
