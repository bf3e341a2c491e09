/* event.c -- what changes when: symbols, variability, derivatives, left limits, and
 * the relations and stairs that make events.
 *
 * Variability of a node is the largest of the symbols below it; the graph numbers
 * nodes after their arguments, so one pass over the new nodes tells all of them.
 *
 * Equal relations share a slot: the graph is hash-consed, so the node `left op
 * right` (which nobody evaluates) is the key.  a > b and b < a are one.
 */
#include "front/modelica/lower.h"

#include <stdio.h>
#include <string.h>

#include "front/modelica/parse.h"

/* ---------------------------------------------------------- variability ---- */

int32_t brink__lo_symbol(mo_low *lo, mo_symbol_kind kind, int32_t index,
                         brink__variability variability)
{
  if (!brink__lo_push(lo, (void **)&lo->symbols, &lo->cap_symbols, lo->n_symbols,
                      sizeof *lo->symbols))
    return -1;
  lo->symbols[lo->n_symbols] = (mo_symbol){kind, index, variability};
  return (int32_t)lo->n_symbols++;
}

static unsigned char varies(const mo_low *lo, brink__node n)
{
  brink__op op = brink__node_op(lo->g, n);
  unsigned char most = BRINK__CONSTANT;

  if (op == BRINK_OP_SYMBOL)
    return (unsigned char)lo->symbols[brink__node_symbol(lo->g, n)].variability;
  for (int i = 0; i < brink__op_arity(op); i++) {
    unsigned char v = lo->vary[brink__node_arg(lo->g, n, i)];
    most = v > most ? v : most;
  }
  return most;
}

brink__variability brink__lo_varies(mo_low *lo, brink__node n)
{
  if (!n)
    return BRINK__CONSTANT;
  if (lo->n_vary <= (size_t)n) {
    if (!brink__lo_push(lo, (void **)&lo->vary, &lo->cap_vary, (size_t)n, 1))
      return BRINK__CONSTANT;
    if (lo->n_vary == 0)
      lo->n_vary = 1;
    for (; lo->n_vary <= (size_t)n; lo->n_vary++)
      lo->vary[lo->n_vary] = varies(lo, (brink__node)lo->n_vary);
  }
  return (brink__variability)lo->vary[n];
}

static const mo_symbol *symbol_of(const mo_low *lo, brink__node n)
{
  if (!n || brink__node_op(lo->g, n) != BRINK_OP_SYMBOL)
    return NULL;
  return &lo->symbols[brink__node_symbol(lo->g, n)];
}

int32_t brink__lo_var_of(const mo_low *lo, brink__node n)
{
  const mo_symbol *s = symbol_of(lo, n);

  return s && s->kind == MO_SYM_VALUE ? s->index : -1;
}

brink__node brink__lo_value(mo_low *lo, int32_t var)
{
  if (lo->now && (size_t)var < lo->n_now && lo->now[var])
    return lo->now[var];
  brink__node n = brink__symbol(lo->g, lo->vars[var].value, lo->vars[var].type);

  if (!n)
    brink__diag_nomem(lo->diag);
  return n;
}

/* ---------------------------------------------------------- derivatives ---- */

static brink__node der_of_var(mo_low *lo, int32_t var)
{
  if (lo->vars[var].der < 0)
    lo->vars[var].der = brink__lo_symbol(lo, MO_SYM_DER, var, BRINK__CONTINUOUS);
  if (lo->vars[var].der < 0)
    return BRINK__NONE;
  return brink__symbol(lo->g, lo->vars[var].der, BRINK_TYPE_REAL);
}

/* the hidden variable that stands for der(var), with its equation; -1: reported */
static int32_t hidden_der(mo_low *lo, mo_at at, int32_t var)
{
  static const char key; /* of the table */
  const void *name = lo->vars[var].name;
  int32_t *known = brink__lo_get(&lo->table, &key, name);

  if (!known) {
    brink__node der = der_of_var(lo, var);
    known = brink__lo_take(lo, sizeof *known);
    int32_t h =
        brink__lo_hidden(lo, brink__lo_format(lo, "der(%s)", lo->vars[var].name),
                         BRINK_TYPE_REAL, BRINK__CONTINUOUS, at);
    if (!known || h < 0 || !brink__lo_set(&lo->table, &key, name, known))
      return -1;
    *known = h;
    lo->vars[h].derivative_of = var + 1;
    mo_sink *to = &lo->eqns;
    if (!brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
      return -1;
    int32_t place =
        lo->var_inst[var] ? brink__lo_place(lo, lo->var_inst[var]->parent) : lo->place;
    lo->vars[h].mode = place;
    to->v[to->n++] =
        (brink__flat_eqn){brink__lo_value(lo, h), der, {at.line, at.col}, place};
  }
  return *known;
}

/* the derivative of der(x) is that of the variable that stands for der(x) */
static brink__node der_of_der(mo_low *lo, mo_at at, int32_t var)
{
  int32_t h = hidden_der(lo, at, var);

  return h < 0 ? BRINK__NONE : der_of_var(lo, h);
}

/* Is the node der(x) of some x? */
static int is_der(const mo_low *lo, brink__node n)
{
  const mo_symbol *s = symbol_of(lo, n);

  return s && s->kind == MO_SYM_DER;
}

/* An equation of its own contains der(var), which appears nowhere yet. */
static int is_differentiated(mo_low *lo, mo_at at, int32_t var)
{
  int32_t h = hidden_der(lo, at, var);

  if (h >= 0)
    lo->vars[h].derivative_of = 0; /* no equation needs it, and none replaces it */
  return h >= 0;
}

int brink__lo_make_state(mo_low *lo, mo_at at, int32_t var)
{
  if (lo->vars[var].der >= 0)
    return 1;
  for (size_t i = 0; i < lo->eqns.n; i++) {
    brink__node lhs = lo->eqns.v[i].lhs, rhs = lo->eqns.v[i].rhs;
    if ((brink__lo_var_of(lo, lhs) == var && is_der(lo, rhs)) ||
        (brink__lo_var_of(lo, rhs) == var && is_der(lo, lhs)))
      return is_differentiated(lo, at, var);
  }
  return 0;
}

/* what stands for the derivative of symbol id */
static brink__node der_of_symbol(mo_low *lo, mo_at at, int32_t id)
{
  mo_symbol s = lo->symbols[id];

  if (s.variability < BRINK__CONTINUOUS)
    return BRINK__NONE;
  switch (s.kind) {
  case MO_SYM_TIME: return brink__real(lo->g, 1);
  case MO_SYM_VALUE: return der_of_var(lo, s.index);
  case MO_SYM_DER: return der_of_der(lo, at, s.index);
  case MO_SYM_PRE:
  case MO_SYM_RELATION:
  case MO_SYM_STAIR:
  case MO_SYM_SAMPLE:
  case MO_SYM_FLAG:
  case MO_SYM_ACTIVE: return BRINK__NONE;
  case MO_SYM_DELAY:
    brink__lo_error(lo, at, "'der' cannot look through 'delay'; delay the derivative");
    return BRINK__NONE;
  }
  return BRINK__NONE;
}

/* chain rule over all symbols below n */
static brink__node der_of_expression(mo_low *lo, mo_at at, brink__node n)
{
  brink__pattern p;
  brink__node out = BRINK__NONE;

  if (brink__pattern_new(lo->g, 1, &n, 0, NULL, &p) < 0) {
    brink__diag_nomem(lo->diag);
    return out;
  }
  size_t n_dot = p.nnz ? (size_t)p.col[p.nnz - 1] + 1 : 0;
  brink__node *dot = brink__alloc(lo->ctx, n_dot * sizeof *dot);
  if (dot) {
    if (n_dot)
      memset(dot, 0, n_dot * sizeof *dot);
    for (size_t k = 0; k < p.nnz; k++)
      dot[p.col[k]] = der_of_symbol(lo, at, p.col[k]);
    if (brink__diff_along(lo->g, n_dot, dot, 1, &n, &out) < 0)
      out = BRINK__NONE;
    brink__free(lo->ctx, dot, n_dot * sizeof *dot);
  }
  brink__pattern_drop(&p);
  if (!out)
    brink__diag_nomem(lo->diag);
  return out;
}

brink__node brink__lo_der(mo_low *lo, const mo_env *env, mo_at at, brink__node n)
{
  const mo_symbol *s = symbol_of(lo, n);

  if (!n)
    return n;
  if (env->flags & MO_FUNCTION) {
    brink__lo_error(lo, at, "'der' cannot be used in a function");
    return BRINK__NONE;
  }
  switch (brink__lo_varies(lo, n)) {
  case BRINK__CONSTANT:
  case BRINK__PARAMETER: return brink__real(lo->g, 0);
  case BRINK__DISCRETE:
    brink__lo_error(lo, at,
                    "'der' needs something continuous; this changes at events only");
    return BRINK__NONE;
  case BRINK__CONTINUOUS: break;
  }
  if (s && s->kind == MO_SYM_VALUE)
    return der_of_var(lo, s->index);
  if (s && s->kind == MO_SYM_DER)
    return der_of_der(lo, at, s->index);
  return der_of_expression(lo, at, n);
}

/* ----------------------------------------------------------- left limits ---- */

brink__node brink__lo_pre(mo_low *lo, const mo_env *env, mo_at at, brink__node n)
{
  const mo_symbol *s = symbol_of(lo, n);

  if (!n || brink__lo_varies(lo, n) <= BRINK__PARAMETER)
    return n;
  if (!s || s->kind != MO_SYM_VALUE) {
    brink__lo_error(lo, at, "'pre' needs a variable");
    return BRINK__NONE;
  }
  if (s->variability == BRINK__CONTINUOUS && !(env->flags & MO_IN_WHEN)) {
    brink__lo_error(lo, at,
                    "'pre' of the continuous variable '%s' has a meaning only inside "
                    "a when",
                    lo->vars[s->index].name);
    return BRINK__NONE;
  }
  brink__flat_var *v = &lo->vars[s->index];
  if (v->pre < 0) {
    int32_t index = s->index; /* the symbols may move */
    int32_t id = brink__lo_symbol(lo, MO_SYM_PRE, index, BRINK__DISCRETE);
    if (id < 0)
      return BRINK__NONE;
    v->pre = id;
  }
  return brink__symbol(lo->g, v->pre, v->type);
}

brink__node brink__lo_with_left_limit(mo_low *lo, mo_at at, brink__node n,
                                      brink__type type)
{
  static const char key; /* of the table */
  mo_sink *to = &lo->eqns;

  if (!n || brink__lo_var_of(lo, n) >= 0 || brink__lo_varies(lo, n) <= BRINK__PARAMETER)
    return n;
  const void *owner = lo->place ? (const void *)lo->places[lo->place] : &key;
  int32_t *known = brink__lo_get(&lo->table, owner, (void *)(uintptr_t)n);
  if (known)
    return brink__lo_value(lo, *known);
  known = brink__lo_take(lo, sizeof *known);
  int32_t h = brink__lo_hidden(lo, brink__lo_format(lo, "$%zu", lo->n_vars), type,
                               BRINK__DISCRETE, at);
  if (!known || h < 0 ||
      !brink__lo_set(&lo->table, owner, (void *)(uintptr_t)n, known) ||
      !brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v)) {
    brink__diag_nomem(lo->diag);
    return BRINK__NONE;
  }
  *known = h;
  brink__node x = brink__lo_value(lo, h);
  to->v[to->n++] = (brink__flat_eqn){x, n, {at.line, at.col}, lo->place};
  return x;
}

/* ------------------------------------------------------ relations, stairs ---- */

static int name_of(void *user, int32_t id, char *buf, size_t cap)
{
  const mo_low *lo = user;
  mo_symbol s = lo->symbols[id];

  switch (s.kind) {
  case MO_SYM_TIME: return snprintf(buf, cap, "time");
  case MO_SYM_VALUE: return snprintf(buf, cap, "%s", lo->vars[s.index].name);
  case MO_SYM_DER: return snprintf(buf, cap, "der(%s)", lo->vars[s.index].name);
  case MO_SYM_PRE: return snprintf(buf, cap, "pre(%s)", lo->vars[s.index].name);
  case MO_SYM_RELATION: return snprintf(buf, cap, "%s", lo->relations[s.index].text);
  case MO_SYM_STAIR: return snprintf(buf, cap, "%s", lo->stairs[s.index].text);
  case MO_SYM_SAMPLE: return snprintf(buf, cap, "%s", lo->samples[s.index].text);
  case MO_SYM_DELAY: return snprintf(buf, cap, "%s", lo->delays[s.index].text);
  case MO_SYM_FLAG:
    return snprintf(buf, cap, "%s",
                    id == lo->flat->initial  ? "initial()"
                    : id == lo->flat->lambda ? "lambda"
                                             : "terminal()");
  case MO_SYM_ACTIVE:
    return snprintf(buf, cap, "activeState(%s)",
                    brink__lo_path(user, lo->modes[s.index].inst, -1));
  }
  return 0;
}

const char *brink__lo_text(mo_low *lo, const mo_env *env, const mo_expr *e,
                           brink__node n)
{
  char buf[400];
  const char *s = NULL;
  int here = env->scope->inst == lo->root && !env->scope->locals && !lo->file->base;

  if (here)
    s = brink__mo_expr_text(&lo->flat->pool, e);
  else if (n && brink__print(lo->g, n, name_of, lo, buf, sizeof buf) >= 0)
    s = brink__pool_str(&lo->flat->pool, buf, strlen(buf));
  if (!s)
    brink__diag_nomem(lo->diag);
  return s ? s : "";
}

/* the slot that was given to this node before; -1: none */
static int32_t known_slot(mo_low *lo, brink__node key)
{
  const int32_t *id = brink__lo_get(&lo->table, &lo->relations, (void *)(uintptr_t)key);

  return id ? *id : -1;
}

static int32_t new_slot(mo_low *lo, brink__node key, mo_symbol_kind kind, size_t index)
{
  int32_t *id = brink__lo_take(lo, sizeof *id);

  if (!id)
    return -1;
  *id = brink__lo_symbol(lo, kind, (int32_t)index, BRINK__DISCRETE);
  if (*id < 0 ||
      !brink__lo_set(&lo->table, &lo->relations, (void *)(uintptr_t)key, id)) {
    brink__diag_nomem(lo->diag);
    return -1;
  }
  return *id;
}

static brink__op mirrored(brink__op op)
{
  return op == BRINK_OP_LT   ? BRINK_OP_GT
         : op == BRINK_OP_LE ? BRINK_OP_GE
         : op == BRINK_OP_GT ? BRINK_OP_LT
                             : BRINK_OP_LE;
}

static int is_plain(mo_low *lo, const mo_env *env, brink__node a, brink__node b)
{
  if (env->flags & (MO_PLAIN | MO_STRUCTURAL))
    return 1;
  if (brink__node_type(lo->g, a) != BRINK_TYPE_REAL &&
      brink__node_type(lo->g, b) != BRINK_TYPE_REAL)
    return 1; /* numbers that functions count inside a when */
  return brink__lo_varies(lo, a) < BRINK__CONTINUOUS &&
         brink__lo_varies(lo, b) < BRINK__CONTINUOUS;
}

brink__node brink__lo_relation(mo_low *lo, const mo_env *env, mo_at at, brink__op op,
                               brink__node a, brink__node b, const mo_expr *e)
{
  brink__node key = brink__lo_apply(lo, at, op, a, b, BRINK__NONE);

  if (!key || is_plain(lo, env, a, b) || brink__node_op(lo->g, key) == BRINK_OP_CONST)
    return key;
  int32_t slot = known_slot(lo, key);
  if (slot < 0) {
    brink__node twin = brink__lo_apply(lo, at, mirrored(op), b, a, BRINK__NONE);
    slot = known_slot(lo, twin);
  }
  if (slot < 0) {
    const char *text = brink__lo_text(lo, env, e, key);
    if (!brink__lo_push(lo, (void **)&lo->relations, &lo->cap_relations,
                        lo->n_relations, sizeof *lo->relations))
      return BRINK__NONE;
    slot = new_slot(lo, key, MO_SYM_RELATION, lo->n_relations);
    if (slot < 0)
      return BRINK__NONE;
    lo->relations[lo->n_relations++] = (brink__flat_relation){.op = op,
                                                              .left = a,
                                                              .right = b,
                                                              .slot = slot,
                                                              .at = {at.line, at.col},
                                                              .text = text,
                                                              .side = BRINK_AFTER};
  }
  return brink__symbol(lo->g, slot, BRINK_TYPE_BOOLEAN);
}

/* the stair of arg as an operator; a quotient as the division it comes from */
static brink__node stair_of(mo_low *lo, mo_at at, brink__stair kind, brink__node arg)
{
  if (kind != BRINK__STAIR_IN || !arg)
    return brink__lo_apply(
        lo, at, kind == BRINK__STAIR_UP ? BRINK_OP_CEIL : BRINK_OP_FLOOR, arg, 0, 0);
  if (brink__node_op(lo->g, arg) != BRINK_OP_DIV)
    return brink__lo_apply(lo, at, BRINK_OP_QUOT, arg, brink__real(lo->g, 1), 0);
  return brink__lo_apply(lo, at, BRINK_OP_QUOT, brink__node_arg(lo->g, arg, 0),
                         brink__node_arg(lo->g, arg, 1), 0);
}

brink__node brink__lo_stair(mo_low *lo, const mo_env *env, mo_at at, brink__stair kind,
                            brink__node arg, const mo_expr *e)
{
  brink__node key = stair_of(lo, at, kind, arg);

  if (!key || brink__node_op(lo->g, key) == BRINK_OP_CONST ||
      is_plain(lo, env, arg, arg))
    return key ? brink__lo_apply(lo, at, BRINK_OP_INTEGER, key, BRINK__NONE, 0) : key;
  int32_t slot = known_slot(lo, key);
  if (slot < 0) {
    const char *text = brink__lo_text(lo, env, e, key);
    if (!brink__lo_push(lo, (void **)&lo->stairs, &lo->cap_stairs, lo->n_stairs,
                        sizeof *lo->stairs))
      return BRINK__NONE;
    slot = new_slot(lo, key, MO_SYM_STAIR, lo->n_stairs);
    if (slot < 0)
      return BRINK__NONE;
    lo->stairs[lo->n_stairs++] = (brink__flat_stair){
        .kind = kind, .arg = arg, .slot = slot, .at = {at.line, at.col}, .text = text};
  }
  return brink__symbol(lo->g, slot, BRINK_TYPE_INTEGER);
}

/* a call of two arguments: as written, or inside of a component with flat names */
static const char *call_text(mo_low *lo, const mo_env *env, const char *fn,
                             brink__node first, brink__node second, const mo_expr *e)
{
  char a[200], b[200], buf[420];

  if (env->scope->inst == lo->root && !env->scope->locals && !lo->file->base)
    return brink__lo_text(lo, env, e, BRINK__NONE);
  brink__print(lo->g, first, name_of, lo, a, sizeof a);
  brink__print(lo->g, second, name_of, lo, b, sizeof b);
  snprintf(buf, sizeof buf, "%s(%s, %s)", fn, a, b);
  const char *s = brink__pool_str(&lo->flat->pool, buf, strlen(buf));
  if (!s)
    brink__diag_nomem(lo->diag);
  return s ? s : "";
}

brink__node brink__lo_sample(mo_low *lo, const mo_env *env, mo_at at, brink__node start,
                             brink__node interval, const mo_expr *e)
{
  double h;

  if (!start || !interval)
    return BRINK__NONE;
  if (brink__lo_varies(lo, start) > BRINK__PARAMETER ||
      brink__lo_varies(lo, interval) > BRINK__PARAMETER) {
    brink__lo_error(lo, at,
                    "'sample' needs a start and an interval made of parameters");
    return BRINK__NONE;
  }
  if (brink__lo_const(lo, interval, &h) && h <= 0) {
    brink__lo_error(lo, at, "the interval of 'sample' is %g; it must be positive", h);
    return BRINK__NONE;
  }
  for (size_t i = 0; i < lo->n_samples; i++)
    if (lo->samples[i].start == start && lo->samples[i].interval == interval)
      return brink__symbol(lo->g, lo->samples[i].slot, BRINK_TYPE_BOOLEAN);
  if (!brink__lo_push(lo, (void **)&lo->samples, &lo->cap_samples, lo->n_samples,
                      sizeof *lo->samples))
    return BRINK__NONE;
  const char *text = call_text(lo, env, "sample", start, interval, e);
  int32_t slot =
      brink__lo_symbol(lo, MO_SYM_SAMPLE, (int32_t)lo->n_samples, BRINK__DISCRETE);
  if (slot < 0)
    return BRINK__NONE;
  lo->samples[lo->n_samples++] = (brink__flat_sample){.start = start,
                                                      .interval = interval,
                                                      .slot = slot,
                                                      .at = {at.line, at.col},
                                                      .text = text};
  return brink__symbol(lo->g, slot, BRINK_TYPE_BOOLEAN);
}

brink__node brink__lo_delay(mo_low *lo, const mo_env *env, mo_at at, brink__node arg,
                            brink__node by, brink__node most, const mo_expr *e)
{
  double d;

  if (!arg || !by)
    return BRINK__NONE;
  if (brink__lo_varies(lo, by) > BRINK__PARAMETER && !most) {
    brink__lo_error(
        lo, at, "a delay that changes needs a third argument: the longest it can be");
    return BRINK__NONE;
  }
  if (most && brink__lo_varies(lo, most) > BRINK__PARAMETER) {
    brink__lo_error(lo, at, "the longest delay must be made of parameters");
    return BRINK__NONE;
  }
  if (brink__lo_const(lo, by, &d) && d < 0) {
    brink__lo_error(lo, at, "the delay is %g; it must not be negative", d);
    return BRINK__NONE;
  }
  if (brink__lo_varies(lo, arg) <= BRINK__PARAMETER ||
      (brink__lo_const(lo, by, &d) && d == 0))
    return arg;
  for (size_t i = 0; i < lo->n_delays; i++)
    if (lo->delays[i].arg == arg && lo->delays[i].by == by)
      return brink__symbol(lo->g, lo->delays[i].slot, BRINK_TYPE_REAL);
  if (!brink__lo_push(lo, (void **)&lo->delays, &lo->cap_delays, lo->n_delays,
                      sizeof *lo->delays))
    return BRINK__NONE;
  const char *text = call_text(lo, env, "delay", arg, by, e);
  int32_t slot =
      brink__lo_symbol(lo, MO_SYM_DELAY, (int32_t)lo->n_delays, BRINK__CONTINUOUS);
  if (slot < 0 || !text)
    return BRINK__NONE;
  lo->delays[lo->n_delays++] = (brink__flat_delay){.arg = arg,
                                                   .by = by,
                                                   .most = most,
                                                   .slot = slot,
                                                   .at = {at.line, at.col},
                                                   .text = text};
  return brink__symbol(lo->g, slot, BRINK_TYPE_REAL);
}
