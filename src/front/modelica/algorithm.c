/* algorithm.c -- algorithm sections of models.
 *
 * A section is executed once on expressions; every variable it assigns to then has
 * one equation.  At its beginning a variable that the section assigns to holds its
 * left limit if it changes at events only, its start value otherwise [Modelica36,
 * 11.1.2]; which these are is found by executing the section once in vain.
 *
 * A when inside becomes a when of the model.  Where a variable is assigned to in
 * several statements, one of them a when, it gets an ordinary equation instead, in
 * which "the condition has just become true" chooses.
 */
#include "front/modelica/lower.h"

#include <string.h>

enum { FIRST = 2 }; /* places before those of variables */

/* value of a variable before the section has assigned to it */
static brink__node at_first(mo_low *lo, mo_at at, int32_t var, int initial)
{
  brink__flat_var *v = &lo->vars[var];
  mo_env env = {NULL, MO_IN_WHEN, -1};

  if (!initial && v->variability == BRINK__DISCRETE) {
    brink__node *now = lo->now;
    lo->now = NULL;
    brink__node n = brink__lo_pre(lo, &env, at, brink__lo_value(lo, var));
    lo->now = now;
    return n;
  }
  if (v->start)
    return v->start;
  return brink__first_value(lo->g, v->type);
}

/* ------------------------------------------------------------------- whens ---- */

static brink__node symbol(mo_low *lo, int32_t var)
{
  return brink__symbol(lo->g, lo->vars[var].value, lo->vars[var].type);
}

/* has one of the conditions just become true? */
static brink__node fires(mo_low *lo, mo_at at, const brink__flat_branch *b)
{
  brink__node any = BRINK__NONE;
  mo_env env = {NULL, MO_IN_WHEN, -1};

  brink__node start = brink__lo_initial(lo);
  if (!start)
    return any;
  for (int i = 0; i < b->n_conds; i++) {
    brink__node c = b->conds[i], one = c;
    if (c != start) {
      c = brink__lo_with_left_limit(lo, at, c, BRINK_TYPE_BOOLEAN);
      brink__node before = brink__lo_pre(lo, &env, at, c);
      if (!c || !before)
        return BRINK__NONE;
      one = brink__op2(lo->g, BRINK_OP_AND, c, brink__op1(lo->g, BRINK_OP_NOT, before));
      one =
          brink__op2(lo->g, BRINK_OP_AND, one, brink__op1(lo->g, BRINK_OP_NOT, start));
    }
    any = any ? brink__op2(lo->g, BRINK_OP_OR, any, one) : one;
  }
  return any;
}

typedef struct kept {
  brink__node *v;
  size_t n;
} kept;

static kept keep(mo_exec *x)
{
  kept k = {brink__lo_take(x->lo, (x->n + 1) * sizeof *k.v), x->n};

  for (size_t i = 0; k.v && i < x->n; i++)
    k.v[i] = *x->place[i];
  return k;
}

static int shared(const mo_low *lo, int32_t var)
{
  return lo->var_inst[var] && lo->var_inst[var]->sites > 1;
}

/* does the value read a relation or stair? */
static int reads_relations(mo_low *lo, brink__node n)
{
  brink__pattern p;
  int found = 0;

  if (brink__pattern_new(lo->g, 1, &n, 0, NULL, &p) < 0) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  for (size_t k = 0; k < p.nnz; k++) {
    mo_symbol_kind kind = lo->symbols[p.col[k]].kind;
    found |= kind == MO_SYM_RELATION || kind == MO_SYM_STAIR;
  }
  brink__pattern_drop(&p);
  return found;
}

static void assign(mo_low *lo, const mo_stmt *s, int32_t var, brink__node value,
                   mo_actions *list)
{
  brink__flat_action a = {.kind = BRINK__ASSIGN,
                          .var = var,
                          .value = value,
                          .at = {s->at.line, s->at.col},
                          .text = ""};

  brink__lo_action(lo, list, &a);
}

/* What a branch has changed, as in *out: actions for variables of its own.  A value for
 * a shared variable is put aside by the when if it reads relations: in the equation of
 * that variable they would make events. */
static void own_actions(mo_exec *x, const mo_stmt *s, const kept *before, kept *out,
                        mo_actions *list)
{
  mo_low *lo = x->lo;

  for (size_t i = FIRST; i < x->n; i++) {
    int32_t var = x->vars[i - FIRST], h;
    brink__node old = i < before->n ? before->v[i] : BRINK__NONE, value = *x->place[i];
    if (value == old)
      continue;
    if (!shared(lo, var)) {
      assign(lo, s, var, value, list);
    } else if (!x->dry && out->v && reads_relations(lo, value)) {
      h = brink__lo_hidden(lo, brink__lo_format(lo, "$%zu", lo->n_vars),
                           lo->vars[var].type, BRINK__DISCRETE, s->at);
      if (h < 0)
        return;
      assign(lo, s, h, value, list);
      out->v[i] = symbol(lo, h);
    }
  }
}

static void restore(mo_exec *x, const kept *k)
{
  for (size_t i = 0; i < x->n; i++)
    *x->place[i] = i < k->n ? k->v[i] : BRINK__NONE;
}

/* after the when: own variables are themselves, shared ones a choice */
static void after(mo_exec *x, const mo_stmt *s, const kept *before, const kept *out,
                  const brink__flat_branch *b)
{
  mo_low *lo = x->lo;

  for (size_t i = FIRST; i < x->n; i++) {
    int32_t var = x->vars[i - FIRST];
    brink__node old = i < before->n ? before->v[i] : BRINK__NONE, v = old;
    int changed = 0;
    for (int k = s->n_branches - 1; k >= 0; k--) {
      brink__node own = i < out[k].n ? out[k].v[i] : BRINK__NONE;
      if (!own || own == old)
        own = old;
      else
        changed = 1;
      if (shared(lo, var) && own != v)
        v = brink__lo_apply(lo, s->at, BRINK_OP_SELECT, fires(lo, s->at, &b[k]), own,
                            v);
    }
    *x->place[i] = !changed ? old : shared(lo, var) ? v : symbol(lo, var);
  }
}

void brink__lo_when_statement(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  mo_low *lo = x->lo;
  mo_env inside = *env;
  size_t n = (size_t)s->n_branches + 1;
  kept before = keep(x);
  kept *out = brink__lo_take(lo, n * sizeof *out);
  brink__flat_branch *b = brink__pool_take(&lo->flat->pool, n * sizeof *b);
  brink_side side = BRINK_AFTER;
  const char *locate = "";

  if (x->function || x->path || x->actions || (env->flags & MO_INITIAL)) {
    brink__lo_error(lo, s->at,
                    x->function  ? "a when cannot stand in a function"
                    : x->path    ? "a when cannot stand inside an if or while whose "
                                   "condition changes; put the if inside the when"
                    : x->actions ? "a when cannot stand inside another when"
                                 : "a when has no meaning in an initial section");
    return;
  }
  if (!before.v || !out || !b) {
    brink__diag_nomem(lo->diag);
    return;
  }
  inside.flags |= MO_IN_WHEN;
  if (!x->dry)
    brink__lo_when_settings(lo, &s->comment, &side, &locate);
  for (int i = 0; i < s->n_branches; i++) {
    mo_actions list = {0};
    restore(x, &before);
    x->actions = lo->actions = &list;
    brink__lo_exec(x, &inside, &s->branches[i].body);
    x->actions = lo->actions = NULL;
    out[i] = keep(x);
    own_actions(x, s, &before, &out[i], &list);
    restore(x, &before);
    if (!x->dry)
      brink__lo_when_branch(lo, env, &s->branches[i], &list, side, &b[i]);
    brink__lo_actions_drop(lo, &list);
    if (!out[i].v)
      return;
  }
  if (x->dry)
    return;
  brink__lo_when_add(lo, s, b, side, locate);
  after(x, s, &before, out, b);
}

/* ----------------------------------------------------------------- sections ---- */

static int run(mo_low *lo, const mo_env *env, const mo_section *s, mo_exec *x)
{
  int errors = lo->diag->n_errors;

  brink__lo_exec(x, env, &s->body);
  return lo->diag->n_errors == errors && lo->diag->status != BRINK_ENOMEM;
}

/* execute once without effect, to see which variables become places */
static int rehearse(mo_low *lo, const mo_env *env, const mo_section *s, mo_exec *x)
{
  mo_env plain = *env;

  plain.flags |= MO_PLAIN;
  lo->dry = x->dry = 1;
  int ok = run(lo, &plain, s, x);
  lo->dry = x->dry = 0;
  x->done = x->out = brink__boolean(lo->g, 0);
  for (size_t i = FIRST; i < x->n; i++)
    *x->place[i] = BRINK__NONE;
  for (size_t i = FIRST; ok && i < x->n; i++)
    *x->place[i] = at_first(lo, s->at, x->vars[i - FIRST], s->initial);
  return ok;
}

static void equations(mo_low *lo, const mo_section *s, mo_exec *x)
{
  mo_sink *sink = s->initial ? &lo->initial_eqns : &lo->eqns;

  for (size_t i = FIRST; i < x->n; i++) {
    int32_t var = x->vars[i - FIRST];
    brink__node left = symbol(lo, var), right = *x->place[i];
    mo_base base = lo->var_inst[var] ? lo->var_inst[var]->base : MO_V_REAL;
    mo_val l = {.base = base, .one = left}, r = {.base = base, .one = right};
    mo_env env = {NULL, 0, -1};
    if (right && right != left)
      brink__lo_equate(lo, s->at, &env, &l, &r, sink);
  }
}

void brink__lo_algorithm(mo_low *lo, const mo_env *env, const mo_section *s)
{
  mo_exec x;
  size_t n;

  if (s->body.n == 0)
    return;
  brink__lo_text_ready(lo, env, &s->body);
  n = lo->n_vars + 1;
  lo->n_now = lo->n_vars;
  lo->now = brink__alloc(lo->ctx, n * sizeof *lo->now);
  unsigned char *seen = brink__alloc(lo->ctx, n);
  brink__node *now = lo->now;
  if (now && seen && brink__lo_exec_open(&x, lo, 0)) {
    memset(now, 0, n * sizeof *now);
    memset(seen, 0, n);
    x.seen = seen;
    if (s->initial)
      lo->path = brink__lo_initial(lo);
    int ok = rehearse(lo, env, s, &x) && run(lo, env, s, &x);
    lo->now = NULL;
    lo->path = BRINK__NONE;
    lo->algorithm = 1;
    if (ok)
      equations(lo, s, &x);
    lo->algorithm = 0;
    brink__lo_exec_close(&x);
  } else
    brink__diag_nomem(lo->diag);
  lo->now = NULL;
  lo->n_now = 0;
  brink__free(lo->ctx, now, n * sizeof *now);
  brink__free(lo->ctx, seen, n);
}
