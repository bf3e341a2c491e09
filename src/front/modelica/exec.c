/* exec.c -- statements, executed on expressions.
 *
 * A statement changes *places*: nodes that hold the value of a variable so far.  An
 * `if` whose condition is not known executes every branch from the same start and
 * joins the places by if-expressions; after a `return` or `break` that may have
 * happened, the rest is executed as if inside `if not done`.  Loops are unrolled: a
 * `for` as often as its range says, a `while` until its condition is false, or
 * MO_MAX_TURNS times if that is not known, with an assertion that it was enough.
 */
#include "front/modelica/lower.h"

#include <string.h>

/* ------------------------------------------------------------------ places ---- */

int brink__lo_exec_place(mo_exec *x, brink__node *place)
{
  if (!brink__lo_push(x->lo, (void **)&x->place, &x->cap, x->n, sizeof *x->place))
    return 0;
  x->place[x->n++] = place;
  return 1;
}

int brink__lo_exec_open(mo_exec *x, mo_low *lo, int function)
{
  *x = (mo_exec){.lo = lo, .function = function};
  x->done = x->out = brink__boolean(lo->g, 0);
  return x->done && brink__lo_exec_place(x, &x->done) &&
         brink__lo_exec_place(x, &x->out);
}

void brink__lo_exec_close(mo_exec *x)
{
  if (x->cap)
    brink__free(x->lo->ctx, x->place, x->cap * sizeof *x->place);
  if (x->cap_text)
    brink__free(x->lo->ctx, x->text, x->cap_text * sizeof *x->text);
  if (x->cap_vars)
    brink__free(x->lo->ctx, x->vars, x->cap_vars * sizeof *x->vars);
}

static int text_place(mo_exec *x, mo_val *place)
{
  if (!brink__lo_push(x->lo, (void **)&x->text, &x->cap_text, x->n_text,
                      sizeof *x->text))
    return 0;
  x->text[x->n_text++] = place;
  return 1;
}

int brink__lo_exec_places(mo_exec *x, mo_val *v)
{
  int ok = 1;

  if (v->base == MO_V_RECORD) {
    for (int i = 0; ok && i < v->n_fields; i++)
      ok = brink__lo_exec_places(x, &v->fields[i]);
    return ok;
  }
  if (v->nd == 0)
    return v->base == MO_V_STRING ? text_place(x, v) : brink__lo_exec_place(x, &v->one);
  for (size_t k = 0; ok && k < brink__lo_count(v); k++)
    ok = v->base == MO_V_STRING ? text_place(x, &v->fields[k])
                                : brink__lo_exec_place(x, &v->v[k]);
  return ok;
}

/* what the places hold at some time */
typedef struct outcome {
  brink__node *v; /* [n] */
  mo_val *text;   /* [n_text] */
  size_t n, n_text;
} outcome;

static outcome snapshot(mo_exec *x)
{
  outcome o = {.n = x->n, .n_text = x->n_text};

  o.v = brink__lo_take(x->lo, (o.n + 1) * sizeof *o.v);
  o.text = brink__lo_take(x->lo, (o.n_text + 1) * sizeof *o.text);
  for (size_t i = 0; o.v && i < o.n; i++)
    o.v[i] = *x->place[i];
  for (size_t i = 0; o.text && i < o.n_text; i++)
    o.text[i] = *x->text[i];
  return o;
}

static void restore(mo_exec *x, const outcome *o)
{
  for (size_t i = 0; i < x->n; i++)
    *x->place[i] = i < o->n ? o->v[i] : BRINK__NONE;
  for (size_t i = 0; i < x->n_text; i++)
    *x->text[i] = i < o->n_text ? o->text[i] : (mo_val){.base = MO_V_STRING};
}

static brink__node both(mo_low *lo, brink__node a, brink__node b)
{
  return a && b ? brink__op2(lo->g, BRINK_OP_AND, a, b) : a ? a : b;
}

static brink__node negation(mo_low *lo, brink__node a)
{
  return a ? brink__op1(lo->g, BRINK_OP_NOT, a) : a;
}

/* ---------------------------------------------------------------- branches ---- */

static mo_val join_text(mo_exec *x, mo_at at, const brink__node *cond,
                        const outcome *out, int n, const outcome *before, size_t k)
{
  const outcome *last = cond[n - 1] ? before : &out[n - 1];
  mo_val v = {.base = MO_V_STRING};

  if (k < last->n_text)
    v = last->text[k];
  for (int b = cond[n - 1] ? n - 1 : n - 2; b >= 0; b--) {
    const mo_val *own = k < out[b].n_text ? &out[b].text[k] : NULL;
    if (!v.text && own)
      v = *own;
    else if (own && own->text && (own->text != v.text || own->parts != v.parts))
      v = brink__lo_select(x->lo, at, cond[b], own, &v);
  }
  return v;
}

static void join(mo_exec *x, mo_at at, const brink__node *cond, const outcome *out,
                 int n, const outcome *before)
{
  for (size_t k = 0; k < x->n; k++) {
    const outcome *last = cond[n - 1] ? before : &out[n - 1];
    brink__node v = k < last->n ? last->v[k] : BRINK__NONE;
    for (int b = cond[n - 1] ? n - 1 : n - 2; b >= 0; b--) {
      brink__node own = k < out[b].n ? out[b].v[k] : BRINK__NONE;
      if (!v)
        v = own;
      else if (own && own != v)
        v = brink__lo_apply(x->lo, at, BRINK_OP_SELECT, cond[b], own, v);
    }
    *x->place[k] = v;
  }
  for (size_t k = 0; k < x->n_text; k++)
    *x->text[k] = join_text(x, at, cond, out, n, before, k);
}

/* n blocks; the condition of the last may be BRINK__NONE: else */
static void choose(mo_exec *x, const mo_env *env, mo_at at, int n,
                   const brink__node *cond, const mo_block *body)
{
  outcome before = snapshot(x);
  outcome *out = brink__lo_take(x->lo, ((size_t)n + 1) * sizeof *out);
  brink__node path = x->path, not_yet = path, outer = x->lo->path, not_outer = outer;

  if (!before.v || !before.text || !out)
    return;
  if (++x->lo->blocks > MO_MAX_BLOCKS)
    brink__lo_hopeless(x->lo, at,
                       "this statement stands behind more than %d others that may end "
                       "the algorithm, or inside as many",
                       MO_MAX_BLOCKS);
  for (int b = 0; b < n; b++) {
    restore(x, &before);
    x->path = both(x->lo, not_yet, cond[b]);
    x->lo->path = both(x->lo, not_outer, cond[b]);
    brink__lo_exec(x, env, &body[b]);
    out[b] = snapshot(x);
    if (!out[b].v || !out[b].text)
      return; /* no memory: nothing more is read */
    not_yet = both(x->lo, not_yet, negation(x->lo, cond[b]));
    not_outer = both(x->lo, not_outer, negation(x->lo, cond[b]));
  }
  x->lo->blocks--;
  x->lo->path = outer;
  x->path = path;
  join(x, at, cond, out, n, &before);
}

static void conditional(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  size_t most = (size_t)s->n_branches + 1;
  brink__node *cond = brink__lo_take(x->lo, most * sizeof *cond);
  mo_block *body = brink__lo_take(x->lo, most * sizeof *body);
  int n = 0;

  if (!cond || !body)
    return;
  for (int i = 0; i < s->n_branches; i++) {
    const mo_branch *b = &s->branches[i];
    double v = 1;
    if (b->cond) {
      cond[n] = brink__lo_expr_as(x->lo, env, b->cond, MO_V_BOOLEAN, "a condition");
      if (!cond[n])
        return;
      if (brink__lo_const(x->lo, cond[n], &v))
        cond[n] = BRINK__NONE;
    } else
      cond[n] = BRINK__NONE;
    if (v == 0)
      continue;
    body[n] = b->body;
    if (!cond[n++])
      break;
  }
  if (n == 1 && !cond[0])
    brink__lo_exec(x, env, &body[0]);
  else if (n)
    choose(x, env, s->at, n, cond, body);
}

/* ------------------------------------------------------------------- loops ---- */

static brink__node no(const mo_exec *x) { return brink__boolean(x->lo->g, 0); }

/* has the loop been left?  1, 0; -1: it depends */
static int left_loop(mo_exec *x, brink__node *gone)
{
  double v;

  if (brink__lo_const(x->lo, x->out, &v) && v == 0)
    *gone = x->done;
  else
    *gone = brink__op2(x->lo->g, BRINK_OP_OR, x->done, x->out);
  return brink__lo_const(x->lo, *gone, &v) ? v != 0 : -1;
}

static void turn(mo_exec *x, const mo_env *env, mo_at at, const mo_block *body,
                 brink__node gone)
{
  brink__node cond[1] = {negation(x->lo, gone)}, outer = x->excluded;

  x->excluded = gone;
  choose(x, env, at, 1, cond, body);
  x->excluded = outer;
}

static void too_many_turns(mo_exec *x, const mo_stmt *s, brink__node cond);
static void out_of_turns(mo_exec *x, const mo_stmt *s, brink__node cond,
                         const char *text);

/* One turn under its condition.  0: it cannot be made, a subscript would be out of
 * range; nothing has changed then. */
static int possible(mo_exec *x, const mo_env *env, const mo_stmt *s, brink__node cond)
{
  int outer = x->lo->probe;
  outcome before = snapshot(x);

  x->lo->probe = 1;
  turn(x, env, s->at, &s->branches[0].body, negation(x->lo, cond));
  int ok = x->lo->probe != 2;
  x->lo->probe = outer;
  if (!ok && before.v && before.text)
    restore(x, &before);
  return ok;
}

/* for k in a:b with a b that is not known: turns as long as k <= b.  1: it was one */
static int open_range(mo_exec *x, const mo_env *env, const mo_stmt *s, int i)
{
  const mo_expr *range = s->iters[i].range;
  mo_low *lo = x->lo;
  brink__node gone;
  double from, to;

  if (!range || range->kind != MO_RANGE || range->args.n != 2 || i + 1 != s->n_iters ||
      (env->flags & MO_STRUCTURAL))
    return 0;
  mo_val first = brink__lo_expr(lo, env, range->args.v[0]),
         last = brink__lo_expr(lo, env, range->args.v[1]);
  if (first.base != MO_V_INTEGER || last.base != MO_V_INTEGER || first.nd || last.nd ||
      !brink__lo_settled(lo, first.one, &from) || brink__lo_settled(lo, last.one, &to))
    return 0;
  for (int k = 0; k <= MO_MAX_TURNS && left_loop(x, &gone) != 1; k++) {
    mo_val one = {.base = MO_V_INTEGER,
                  .one = brink__integer(lo->g, (int64_t)from + k)};
    mo_scope scope = *env->scope;
    mo_local local = {scope.locals, s->iters[i].name, &one, 0, 0};
    mo_env inner = *env;
    brink__node cond =
        brink__lo_apply(lo, s->at, BRINK_OP_LE, one.one, last.one, BRINK__NONE);
    scope.locals = &local;
    inner.scope = &scope;
    if (left_loop(x, &gone) < 0)
      cond = both(lo, negation(lo, gone), cond);
    int errors = lo->diag->n_errors;
    if (k == MO_MAX_TURNS)
      too_many_turns(x, s, cond);
    else if (!possible(x, &inner, s, cond)) {
      out_of_turns(x, s, cond, "a subscript is out of range");
      break;
    }
    if (lo->diag->n_errors > errors || brink__diag_full(lo->diag))
      break;
  }
  return 1;
}

static void for_loop(mo_exec *x, const mo_env *env, const mo_stmt *s, int i)
{
  const mo_block *block = &s->branches[0].body;
  mo_val values;
  brink__node gone;

  if (i == s->n_iters) {
    int how = left_loop(x, &gone);
    if (how == 0)
      brink__lo_exec(x, env, block);
    else if (how < 0)
      turn(x, env, s->at, block, gone);
    return;
  }
  if (open_range(x, env, s, i) ||
      !brink__lo_iterate(x->lo, env, &(mo_loop){s->iters, s->n_iters, block, NULL}, i,
                         &values))
    return;
  int errors = x->lo->diag->n_errors;
  for (int k = 0; k < values.dims[0] && left_loop(x, &gone) != 1; k++) {
    mo_val one = brink__lo_element(x->lo, &values, &k, 1);
    mo_scope scope = *env->scope;
    mo_local local = {scope.locals, s->iters[i].name, &one, 0, 0};
    mo_env inner = *env;
    scope.locals = &local;
    inner.scope = &scope;
    for_loop(x, &inner, s, i + 1);
    if (x->lo->diag->n_errors > errors || brink__diag_full(x->lo->diag))
      return;
  }
}

static void out_of_turns(mo_exec *x, const mo_stmt *s, brink__node cond,
                         const char *text)
{
  brink__flat_action a = {
      .kind = BRINK__ASSERT, .var = -1, .at = {s->at.line, s->at.col}, .text = text};

  a.value = negation(x->lo, cond);
  brink__lo_push_assert(x->lo, a);
}

static void too_many_turns(mo_exec *x, const mo_stmt *s, brink__node cond)
{
  out_of_turns(x, s, cond,
               s->kind == MO_FORS ? "a for-loop needs more than 64 turns"
                                  : "a while-loop needs more than 64 turns");
}

static void while_loop(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  const mo_branch *b = &s->branches[0];
  int errors = x->lo->diag->n_errors;
  brink__node gone, cond = BRINK__NONE;

  for (int unknown = 0, known = 0; unknown < MO_MAX_TURNS;) {
    double v;
    int how = left_loop(x, &gone);
    if (how == 1)
      return;
    cond = brink__lo_expr_as(x->lo, env, b->cond, MO_V_BOOLEAN,
                             "the condition of a while");
    if (!cond || x->lo->work > MO_MAX_WORK)
      return;
    int settled = brink__lo_settled(x->lo, cond, &v);
    if (settled && v == 0)
      return;
    if (settled && how == 0) {
      brink__lo_exec(x, env, &b->body);
      if (++known > MO_KNOWN_TURNS) {
        brink__lo_hopeless(x->lo, s->at, "this while-loop does not end within %d turns",
                           MO_KNOWN_TURNS);
        return;
      }
    } else {
      if (how < 0)
        cond = both(x->lo, negation(x->lo, gone), cond);
      turn(x, env, s->at, &b->body, negation(x->lo, cond));
      unknown++;
    }
    x->lo->work++;
    if (x->lo->diag->n_errors > errors || brink__diag_full(x->lo->diag))
      return;
  }
  cond =
      brink__lo_expr_as(x->lo, env, b->cond, MO_V_BOOLEAN, "the condition of a while");
  too_many_turns(x, s, both(x->lo, cond, negation(x->lo, x->out)));
}

/* a loop has its own `break` */
static void loop(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  brink__node outer = x->out;

  x->out = no(x);
  if (s->kind == MO_FORS)
    for_loop(x, env, s, 0);
  else
    while_loop(x, env, s);
  x->out = outer;
}

/* -------------------------------------------------------------- statements ---- */

static int is_call(const mo_expr *e, const char *name)
{
  return e->kind == MO_CALL && e->call->fn.n == 1 &&
         strcmp(e->call->fn.parts[0].name->text, name) == 0;
}

static void call(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  mo_low *lo = x->lo;

  if (is_call(s->left, "assert")) {
    brink__flat_action a;
    double v;
    brink__lo_assert(lo, env, s->left, &a);
    if (x->function && !lo->path && brink__lo_const(lo, a.value, &v) && v == 0 &&
        !a.n_parts)
      brink__lo_error(lo, s->at, "an assertion fails: %s", brink__lo_plain(lo, a.text));
    else
      brink__lo_push_assert(x->lo, a);
  } else if (x->actions && !x->dry) {
    size_t first = x->actions->n;
    brink__lo_when_call(lo, env, s, x->actions);
    for (size_t i = first; i < x->actions->n; i++)
      x->actions->v[i].cond = both(lo, x->path, x->actions->v[i].cond);
  } else if (x->actions)
    return;
  else if (is_call(s->left, "terminate") && x->path && !x->function) {
    if (!x->dry)
      brink__lo_when_terminate(lo, env, s, x->path);
  } else if (is_call(s->left, "reinit") || is_call(s->left, "terminate"))
    brink__lo_error(lo, s->at, "'%s' has a meaning only inside a when",
                    s->left->call->fn.parts[0].name->text);
  else
    brink__lo_expr(lo, env, s->left); /* pure: only its faults matter */
}

static void statement(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  switch (s->kind) {
  case MO_ASSIGN: brink__lo_assign(x, env, s); return;
  case MO_DO: call(x, env, s); return;
  case MO_IFS: conditional(x, env, s); return;
  case MO_FORS:
  case MO_WHILE: loop(x, env, s); return;
  case MO_BREAK: x->out = brink__boolean(x->lo->g, 1); return;
  case MO_RETURN:
    if (!x->function)
      brink__lo_error(x->lo, s->at, "'return' has a meaning only in a function");
    x->done = brink__boolean(x->lo->g, 1);
    return;
  case MO_WHEN: brink__lo_when_statement(x, env, s); return;
  case MO_EQUALS:
    brink__lo_error(x->lo, s->at,
                    "an equation has no meaning in an algorithm; use ':='");
    return;
  case MO_CONNECT:
    brink__lo_error(x->lo, s->at, "'connect' has no meaning in an algorithm");
    return;
  }
}

void brink__lo_exec(mo_exec *x, const mo_env *env, const mo_block *block)
{
  for (int i = 0; i < block->n && !brink__diag_full(x->lo->diag); i++) {
    brink__node gone;
    if (x->lo->work++ > MO_MAX_WORK) {
      brink__lo_hopeless(x->lo, block->v[i]->at,
                         "more than %d statements would have to be "
                         "executed to read this model",
                         MO_MAX_WORK);
      return;
    }
    statement(x, env, block->v[i]);
    int how = left_loop(x, &gone);
    if (how == 1)
      return;
    if (how < 0 && gone != x->excluded && i + 1 < block->n) {
      mo_block rest = {block->v + i + 1, block->n - i - 1};
      turn(x, env, block->v[i]->at, &rest, gone);
      return;
    }
  }
}
