/* reflect.c -- variables that are reflected at their bounds (Skorokhod's problem).
 *
 * `Real x(min = 0) annotation(__brink(reflect = r))` keeps x at or above 0 by the least
 * push along the vector r, which has one component for each state.  That is an event:
 *
 *   when x < 0 then
 *     reinit(y[i], y[i] + p*r[i]) for all states y;
 *     reinit(x.L_min, x.L_min + p);
 *   end when;
 *
 * where x.L_min is a new variable that counts the push p.  At a max the push is along
 * -r.
 * The solution does not jump: it is on the bound when the event is, and from there on
 * the executor reads the direction of a reaction from the event
 * (hybrid/reset_reading.c) and solves a linear complementarity problem where several
 * bounds are met.
 *
 * Only a start and a reset may lie beyond by more than rounding.  A start does not make
 * the relation true, therefore initial() is in the condition, too.  What is needed then
 * of each push, which may take other variables beyond their bounds or back, is a
 * complementarity problem as well (clause/reflection.c).  So the events of all bounds
 * are one when.
 */
#include "front/modelica/lower.h"

#include <string.h>

typedef struct face {
  int32_t var, push; /* what is bounded; the variable that counts                    */
  int upper;
  mo_at at;
  mo_val along; /* one component for each state                                      */
  size_t row;   /* of a matrix: the one of this element                              */
} face;

typedef struct faces {
  face *v;
  size_t n, cap;
  int32_t *states; /* [n_states] as declared                                         */
  size_t n_states;
} faces;

/* ----------------------------------------------------------------- collect ---- */

static int is_state(const mo_low *lo, size_t i)
{
  const brink__flat_var *v = &lo->vars[i];

  return !v->hidden && v->der >= 0 && v->type == BRINK_TYPE_REAL;
}

static int find_states(mo_low *lo, faces *f)
{
  f->states = brink__lo_take(lo, (lo->n_vars + 1) * sizeof *f->states);
  for (size_t i = 0; f->states && i < lo->n_vars; i++)
    if (is_state(lo, i))
      f->states[f->n_states++] = (int32_t)i;
  return f->states != NULL;
}

/* Component i of the vector of a face. */
static brink__node component(const faces *f, const face *one, size_t i)
{
  return brink__lo_at(&one->along, one->row * f->n_states + i);
}

static size_t place_of(const faces *f, int32_t var)
{
  size_t i = 0;

  while (i < f->n_states && f->states[i] != var)
    i++;
  return i;
}

/* Is the vector one, with a push that leads into the bounds?  0: reported. */
static int fits(mo_low *lo, const faces *f, const face *one, int32_t count)
{
  const mo_val *v = &one->along;
  const char *name = lo->vars[one->var].name;
  size_t own = place_of(f, one->var);
  int rows = v->nd == 2 ? v->dims[0] : count;
  double value;

  if (own == f->n_states)
    brink__lo_error(lo, one->at, "'reflect' needs a state: der(%s) appears nowhere",
                    name);
  else if (v->base != MO_V_REAL || v->nd < 1 || v->nd > 2 || rows != count ||
           (size_t)v->dims[v->nd - 1] != f->n_states)
    brink__lo_error(lo, one->at,
                    "'reflect' of '%s' needs a vector with one Real for each of the "
                    "%zu states, in order of declaration; this is %s",
                    name, f->n_states, brink__lo_type_text(lo, v));
  else if (brink__lo_const(lo, component(f, one, own), &value) && !(value > 0))
    brink__lo_error(
        lo, one->at,
        "'reflect': the component of '%s' itself is %g; it must be positive, "
        "for the push to lead back",
        name, value);
  else
    return 1;
  return 0;
}

/* A variable that counts the push, der(push) = 0. */
static int32_t counter(mo_low *lo, const face *one)
{
  const mo_scope scope = {0};
  const mo_env env = {&scope, 0, -1};
  mo_sink *to = &lo->eqns;
  const char *of = lo->vars[one->var].name;
  int32_t var = brink__lo_hidden(
      lo, brink__lo_format(lo, "%s.%s", of, one->upper ? "L_max" : "L_min"),
      BRINK_TYPE_REAL, BRINK__CONTINUOUS, one->at);

  if (var < 0 || !brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
    return -1;
  brink__node value = brink__lo_value(lo, var), zero = brink__real(lo->g, 0);
  lo->vars[var].hidden = 0;
  lo->vars[var].fixed = 1;
  lo->vars[var].start = zero;
  to->v[to->n++] = (brink__flat_eqn){.lhs = brink__lo_der(lo, &env, one->at, value),
                                     .rhs = zero,
                                     .at = {one->at.line, one->at.col}};
  return var;
}

static void add_face(mo_low *lo, faces *f, face one)
{
  one.push = counter(lo, &one);
  if (one.push >= 0 && brink__lo_push(lo, (void **)&f->v, &f->cap, f->n, sizeof *f->v))
    f->v[f->n++] = one;
}

static void leaf(mo_low *lo, mo_inst *inst, faces *f)
{
  const mo_expr *e =
      inst->var >= 0 ? brink__lo_reflect_along(&inst->decl->comment) : NULL;

  if (!e || inst->count == 0)
    return;
  mo_env env = {inst->scope, 0, -1};
  mo_val along = brink__lo_expr(lo, &env, e);
  if (along.base == MO_V_BAD)
    return;
  along =
      brink__lo_coerce(lo, e->at, along, MO_V_REAL, NULL, "the vector of 'reflect'");
  if (lo->n_modes) {
    brink__lo_error(lo, e->at,
                    "'reflect' cannot be used in a model with modes; use a "
                    "when with reinit");
    return;
  }
  for (int32_t k = 0; k < inst->count && along.base != MO_V_BAD; k++) {
    const brink__flat_var *v = &lo->vars[inst->var + k];
    face one = {.var = inst->var + k,
                .at = e->at,
                .along = along,
                .row = along.nd == 2 ? (size_t)k : 0};
    brink__node min = v->min, max = v->max;
    if (!min && !max)
      brink__lo_error(lo, e->at, "'reflect' of '%s' needs a min or a max", v->name);
    if ((!min && !max) || !fits(lo, f, &one, inst->count))
      return;
    if (min)
      add_face(lo, f, one);
    one.upper = 1;
    if (max)
      add_face(lo, f, one);
  }
}

static void collect(mo_low *lo, mo_inst *inst, faces *f)
{
  if (inst->absent || inst->base == MO_V_BAD)
    return;
  if (inst->base != MO_V_CLASS && inst->base != MO_V_RECORD)
    leaf(lo, inst, f);
  else
    for (int i = 0; i < inst->n_kids && !brink__diag_full(lo->diag); i++)
      collect(lo, inst->kids[i], f);
}

/* -------------------------------------------------------------------- when ---- */

static brink__node bound_of(const mo_low *lo, const face *one)
{
  return one->upper ? lo->vars[one->var].max : lo->vars[one->var].min;
}

static brink__node condition(mo_low *lo, const face *one)
{
  const mo_scope scope = {0};
  const mo_env env = {&scope, 0, -1};
  brink__node x = brink__lo_value(lo, one->var);

  return brink__lo_relation(lo, &env, one->at, one->upper ? BRINK_OP_GT : BRINK_OP_LT,
                            x, bound_of(lo, one), NULL);
}

/* Does a push move state i? */
static int is_moved(mo_low *lo, const faces *f, size_t i)
{
  double r;

  for (size_t k = 0; k < f->n; k++)
    if (!brink__lo_const(lo, component(f, &f->v[k], i), &r) || r != 0)
      return 1;
  return 0;
}

/* when x < 0, or x at the start */
static brink__node at_start_too(mo_low *lo, brink__node *conds, size_t n)
{
  brink__node any = brink__boolean(lo->g, 0);

  for (size_t k = 0; k < n; k++)
    any = brink__op2(lo->g, BRINK_OP_OR, any, conds[k]);
  return brink__op2(lo->g, BRINK_OP_AND, brink__lo_initial(lo), any);
}

/* The states that pushes move, as they are, then the pushes. */
static size_t fill_actions(mo_low *lo, const faces *f, const brink__node *conds,
                           brink__node *parts, brink__flat_action *out)
{
  brink__flat_action a = {
      .kind = BRINK__REINIT, .at = {f->v[0].at.line, f->v[0].at.col}, .text = ""};
  size_t n = 0;

  for (size_t i = 0; i < f->n_states; i++) {
    a.var = f->states[i];
    a.value = brink__lo_value(lo, a.var);
    if (is_moved(lo, f, i))
      out[n++] = a;
  }
  a.kind = BRINK__PUSH;
  for (size_t k = 0; k < f->n; k++) {
    const face *one = &f->v[k];
    a.var = one->push;
    a.of = one->var;
    a.upper = one->upper;
    a.value = bound_of(lo, one);
    a.parts = parts;
    *parts++ = conds[k];
    for (size_t i = 0; i < f->n_states; i++) {
      brink__node r = component(f, one, i);
      if (is_moved(lo, f, i))
        *parts++ = one->upper ? brink__op1(lo->g, BRINK_OP_NEG, r) : r;
    }
    a.n_parts = (int)(parts - a.parts);
    out[n++] = a;
  }
  return n;
}

/* A when that fires if one of so many conditions becomes true, or at the start. */
static void add_when(mo_low *lo, const faces *f, brink__node *conds,
                     const brink__flat_action *actions, size_t n_actions)
{
  brink__flat_branch *b = brink__pool_take(&lo->flat->pool, sizeof *b);
  brink__place at = {f->v[0].at.line, f->v[0].at.col};

  if (!b || !brink__lo_push(lo, (void **)&lo->whens, &lo->cap_whens, lo->n_whens,
                            sizeof *lo->whens)) {
    brink__diag_nomem(lo->diag);
    return;
  }
  conds[f->n] = at_start_too(lo, conds, f->n);
  *b = (brink__flat_branch){.conds = conds,
                            .n_conds = (int)f->n + 1,
                            .actions = actions,
                            .n_actions = (int)n_actions,
                            .at = at,
                            .text = "reflection"};
  lo->whens[lo->n_whens++] =
      (brink__flat_when){.branches = b, .n_branches = 1, .at = at, .locate = ""};
}

static void add_reflection(mo_low *lo, const faces *f)
{
  brink__pool *pool = &lo->flat->pool;
  brink__node *conds = brink__pool_take(pool, (f->n + 1) * sizeof *conds),
              *parts = brink__pool_take(pool, f->n * (f->n_states + 1) * sizeof *parts);
  brink__flat_action *a = brink__pool_take(pool, (f->n + f->n_states) * sizeof *a);

  if (!conds || !parts || !a) {
    brink__diag_nomem(lo->diag);
    return;
  }
  for (size_t k = 0; k < f->n; k++)
    conds[k] = condition(lo, &f->v[k]);
  add_when(lo, f, conds, a, fill_actions(lo, f, conds, parts, a));
}

void brink__lo_reflect(mo_low *lo)
{
  faces f = {0};

  if (lo->diag->status != BRINK_OK || !find_states(lo, &f))
    return;
  collect(lo, lo->root, &f);
  if (f.n > 0 && lo->diag->status == BRINK_OK)
    add_reflection(lo, &f);
  if (f.cap)
    brink__free(lo->ctx, f.v, f.cap * sizeof *f.v);
}
