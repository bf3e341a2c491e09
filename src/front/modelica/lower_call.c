/* lower_call.c -- calls of built-in functions.
 *
 * What jumps or has a kink (abs sign min max floor ceil integer div mod rem) is
 * written with relations and stairs, so that it makes events; inside noEvent() and
 * in most functions it stays an operator of the graph.
 */
#include "front/modelica/calls.h"

#include <stdio.h>
#include <string.h>

#include "front/modelica/parse.h"

/* which formal argument has this name; -1: none */
static int formal(const call *c, const mo_name *name)
{
  int i = 0;

  for (const char *f = c->formals; *f; i++) {
    size_t n = strcspn(f, ",");
    if (strlen(name->text) == n && strncmp(name->text, f, n) == 0)
      return i;
    f += n + (f[n] == ',');
  }
  return -1;
}

const mo_expr *brink__call_argument(const call *c, int i)
{
  for (int k = 0; k < c->c->n; k++)
    if (c->c->args[k].name ? formal(c, c->c->args[k].name) == i : k == i)
      return c->c->args[k].value;
  return NULL;
}

int brink__call_names(const call *c)
{
  for (int k = 0; k < c->c->n; k++) {
    const mo_arg *a = &c->c->args[k];
    int i = a->name ? formal(c, a->name) : k;
    if (!a->name)
      continue;
    if (i < 0 && !*c->formals)
      brink__lo_error(c->lo, a->at, "'%s' takes its arguments by position, not by name",
                      c->name);
    else if (i < 0)
      brink__lo_error(c->lo, a->at, "'%s' has no argument '%s'; its arguments are %s",
                      c->name, a->name->bare, c->formals);
    else if (brink__call_argument(c, i) != a->value)
      brink__lo_error(c->lo, a->at, "the argument '%s' of '%s' is given twice",
                      a->name->bare, c->name);
    else
      continue;
    return 0;
  }
  return 1;
}

mo_val brink__call_value(const call *c, int i)
{
  const mo_expr *e = brink__call_argument(c, i);

  return e ? brink__lo_expr(c->lo, c->env, e) : brink__lo_bad();
}

brink__node brink__call_scalar(const call *c, int i, mo_base base)
{
  const mo_expr *e = brink__call_argument(c, i);
  char what[80];

  snprintf(what, sizeof what, "argument %d of '%.40s'", i + 1, c->name);
  return e ? brink__lo_expr_as(c->lo, c->env, e, base, what) : BRINK__NONE;
}

mo_val brink__call_raw(const call *c, int i)
{
  brink__node *now = c->lo->now;

  c->lo->now = NULL;
  mo_val v = brink__call_value(c, i);
  c->lo->now = now;
  return v;
}

mo_val brink__call_result(mo_base base, brink__node n)
{
  return n ? (mo_val){.base = base, .one = n} : brink__lo_bad();
}

int brink__call_is_number(const mo_val *v)
{
  return v->base == MO_V_REAL || v->base == MO_V_INTEGER;
}

mo_val brink__call_not_number(const call *c, const mo_val *v)
{
  if (v->base != MO_V_BAD)
    brink__lo_error(c->lo, c->e->at, "'%s' needs a number, not %s", c->name,
                    brink__lo_type_text(c->lo, v));
  return brink__lo_bad();
}

brink__node brink__call_op(const call *c, brink__op o, brink__node a, brink__node b)
{
  return brink__lo_apply(c->lo, c->e->at, o, a, b, BRINK__NONE);
}

static brink__node relation(const call *c, brink__op o, brink__node a, brink__node b)
{
  return brink__lo_relation(c->lo, c->env, c->e->at, o, a, b, c->e);
}

static brink__node pick(const call *c, brink__node cond, brink__node yes,
                        brink__node no)
{
  return brink__lo_apply(c->lo, c->e->at, BRINK_OP_SELECT, cond, yes, no);
}

/* ------------------------------------------------------------ smooth ones ---- */

static brink__op op_named(const char *name)
{
  static const struct {
    const char *name;
    brink__op op;
  } ops[] = {
      {"sqrt", BRINK_OP_SQRT}, {"sin", BRINK_OP_SIN},     {"cos", BRINK_OP_COS},
      {"tan", BRINK_OP_TAN},   {"asin", BRINK_OP_ASIN},   {"acos", BRINK_OP_ACOS},
      {"atan", BRINK_OP_ATAN}, {"atan2", BRINK_OP_ATAN2}, {"sinh", BRINK_OP_SINH},
      {"cosh", BRINK_OP_COSH}, {"tanh", BRINK_OP_TANH},   {"exp", BRINK_OP_EXP},
      {"log", BRINK_OP_LOG},   {"log10", BRINK_OP_LOG10}};

  for (size_t i = 0; i < BRINK__COUNT(ops); i++)
    if (strcmp(name, ops[i].name) == 0)
      return ops[i].op;
  return BRINK_OP_CONST;
}

static mo_val smooth_op(call *c)
{
  brink__op o = op_named(c->name);
  mo_val a = brink__call_value(c, 0), b = brink__lo_bad();
  int two = brink__op_arity(o) == 2;

  if (two)
    b = brink__call_value(c, 1);
  if (a.base == MO_V_BAD || (two && b.base == MO_V_BAD))
    return brink__lo_bad();
  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  if (two && !brink__call_is_number(&b))
    return brink__call_not_number(c, &b);
  return brink__lo_map(c->lo, c->e->at, o, MO_V_REAL, &a, two ? &b : NULL);
}

/* --------------------------------------------------- with kinks and jumps ---- */

static int makes_events(const call *c, brink__node n)
{
  return !(c->env->flags & (MO_PLAIN | MO_STRUCTURAL)) && n &&
         brink__node_type(c->lo->g, n) == BRINK_TYPE_REAL &&
         brink__lo_varies(c->lo, n) == BRINK__CONTINUOUS;
}

static brink__node zero(const call *c) { return brink__real(c->lo->g, 0); }

static brink__node one_abs(const call *c, brink__node a)
{
  if (!makes_events(c, a))
    return brink__call_op(c, BRINK_OP_ABS, a, 0);
  return pick(c, relation(c, BRINK_OP_GE, a, zero(c)), a,
              brink__call_op(c, BRINK_OP_NEG, a, 0));
}

static brink__node one_sign(const call *c, brink__node a)
{
  brink__graph *g = c->lo->g;

  if (!makes_events(c, a))
    return brink__call_op(c, BRINK_OP_SIGN, a, 0);
  brink__node below = relation(c, BRINK_OP_LT, a, zero(c));
  return pick(c, relation(c, BRINK_OP_GT, a, zero(c)), brink__integer(g, 1),
              pick(c, below, brink__integer(g, -1), brink__integer(g, 0)));
}

static brink__node one_floor(const call *c, brink__node a)
{
  return brink__lo_stair(c->lo, c->env, c->e->at, BRINK__STAIR_DOWN, a, c->e);
}

static brink__node one_ceil(const call *c, brink__node a)
{
  return brink__lo_stair(c->lo, c->env, c->e->at, BRINK__STAIR_UP, a, c->e);
}

static mo_val each(call *c, brink__node (*fn)(const call *, brink__node),
                   int keeps_type)
{
  mo_val a = brink__call_value(c, 0);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  mo_val r = {.base = keeps_type ? a.base : MO_V_INTEGER};
  if (a.nd)
    r = brink__lo_array(c->lo, r.base, a.nd, a.dims);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = fn(c, brink__lo_at(&a, k));
    if (!brink__lo_put(&r, k, n))
      return brink__lo_bad();
  }
  return r;
}

static mo_val fn_abs(call *c) { return each(c, one_abs, 1); }
static mo_val fn_sign(call *c) { return each(c, one_sign, 0); }
static mo_val fn_integer(call *c) { return each(c, one_floor, 0); }

static mo_val as_real(call *c, mo_val v)
{
  return brink__lo_coerce(c->lo, c->e->at, v, MO_V_REAL, NULL, c->name);
}

static mo_val fn_floor(call *c) { return as_real(c, each(c, one_floor, 0)); }
static mo_val fn_ceil(call *c) { return as_real(c, each(c, one_ceil, 0)); }

/* whole part of a / b towards 0 */
static brink__node quotient(const call *c, brink__node a, brink__node b)
{
  return brink__lo_stair(c->lo, c->env, c->e->at, BRINK__STAIR_IN,
                         brink__call_op(c, BRINK_OP_DIV, a, b), c->e);
}

static mo_val divided(call *c, brink__op o)
{
  mo_val a = brink__call_value(c, 0), b = brink__call_value(c, 1);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  if (!brink__call_is_number(&b))
    return brink__call_not_number(c, &b);
  mo_base base =
      a.base == MO_V_INTEGER && b.base == MO_V_INTEGER ? MO_V_INTEGER : MO_V_REAL;
  if (a.nd || b.nd || (!makes_events(c, a.one) && !makes_events(c, b.one)))
    return brink__lo_map(c->lo, c->e->at, o, base, &a, &b);
  double by = 1;
  if (brink__lo_const(c->lo, b.one, &by) && by == 0) {
    brink__lo_error(c->lo, c->e->at, "division by zero");
    return brink__lo_bad();
  }
  brink__node n, q;
  if (o == BRINK_OP_MOD)
    q = one_floor(c, brink__call_op(c, BRINK_OP_DIV, a.one, b.one));
  else
    q = quotient(c, a.one, b.one);
  n = o == BRINK_OP_QUOT ? brink__call_op(c, BRINK_OP_REAL, q, 0)
                         : brink__call_op(c, BRINK_OP_SUB, a.one,
                                          brink__call_op(c, BRINK_OP_MUL, q, b.one));
  return brink__call_result(MO_V_REAL, n);
}

static mo_val fn_div(call *c) { return divided(c, BRINK_OP_QUOT); }
static mo_val fn_mod(call *c) { return divided(c, BRINK_OP_MOD); }
static mo_val fn_rem(call *c) { return divided(c, BRINK_OP_REM); }

static brink__node extreme(const call *c, int largest, brink__node a, brink__node b)
{
  if (!a || !b)
    return BRINK__NONE;
  if (!makes_events(c, a) && !makes_events(c, b))
    return brink__call_op(c, largest ? BRINK_OP_MAX : BRINK_OP_MIN, a, b);
  return pick(c, relation(c, largest ? BRINK_OP_GE : BRINK_OP_LE, a, b), a, b);
}

/* Of arrays with more elements which one is largest makes no events: each pair would
 * have a relation, and a field of thousands would have thousands of events that change
 * nothing. */
enum { EXTREME_RELATIONS = 32 };

/* Of n > 0 elements, as a tournament: each relation looks at few of them. */
static brink__node extreme_of(const call *c, int largest, const brink__node *v,
                              size_t n, int events)
{
  if (n == 1)
    return v[0];
  brink__node a = extreme_of(c, largest, v, n - n / 2, events);
  brink__node b = extreme_of(c, largest, v + (n - n / 2), n / 2, events);
  if (!a || !b || events)
    return extreme(c, largest, a, b);
  return brink__call_op(c, largest ? BRINK_OP_MAX : BRINK_OP_MIN, a, b);
}

/* the values of `f(i) for i in r`, as an array */
static mo_val reduction(const call *c)
{
  mo_expr list = *c->e;

  list.kind = MO_ARRAY;
  list.args.v = (mo_expr *[1]){c->c->args[0].value};
  list.args.n = 1;
  return brink__lo_expr(c->lo, c->env, &list);
}

mo_val brink__call_elements_of(const call *c)
{
  if (c->c->n == 1 && c->c->args[0].value->kind == MO_FOR)
    return reduction(c);
  return brink__call_value(c, 0);
}

static mo_val min_max(call *c, int largest)
{
  if (c->c->n == 1) {
    mo_val a = brink__call_elements_of(c);
    if (a.base == MO_V_BAD)
      return a;
    if (brink__lo_is_compound(&a))
      return brink__call_not_number(c, &a);
    if (!a.nd || brink__lo_count(&a) == 0) {
      brink__lo_error(c->lo, c->e->at,
                      "'%s' needs two numbers, or an array that is not "
                      "empty",
                      c->name);
      return brink__lo_bad();
    }
    size_t n = brink__lo_count(&a);
    mo_val r = brink__call_result(
        a.base, extreme_of(c, largest, a.v, n, n <= EXTREME_RELATIONS));
    r.cls = a.cls;
    return r;
  }
  mo_val a = brink__call_value(c, 0), b = brink__call_value(c, 1);
  if (a.base == MO_V_BAD || b.base == MO_V_BAD)
    return brink__lo_bad();
  int numbers = brink__call_is_number(&a) && brink__call_is_number(&b);
  if (a.nd || b.nd || (!numbers && (a.base != b.base || a.cls != b.cls)) ||
      a.base == MO_V_STRING || a.base == MO_V_RECORD)
    return brink__call_not_number(c, a.nd || !brink__call_is_number(&a) ? &a : &b);
  mo_val r = brink__call_result(numbers && a.base != b.base ? MO_V_REAL : a.base,
                                extreme(c, largest, a.one, b.one));
  r.cls = a.cls;
  return r;
}

static mo_val fn_min(call *c) { return min_max(c, 0); }
static mo_val fn_max(call *c) { return min_max(c, 1); }

static mo_val fn_semi_linear(call *c)
{
  brink__node x = brink__call_scalar(c, 0, MO_V_REAL),
              up = brink__call_scalar(c, 1, MO_V_REAL),
              down = brink__call_scalar(c, 2, MO_V_REAL);

  if (!x || !up || !down)
    return brink__lo_bad();
  return brink__call_result(MO_V_REAL, pick(c, relation(c, BRINK_OP_GE, x, zero(c)),
                                            brink__call_op(c, BRINK_OP_MUL, up, x),
                                            brink__call_op(c, BRINK_OP_MUL, down, x)));
}

/* ----------------------------------------------------------------- table ---- */

typedef struct builtin {
  const char *name;
  int least, most;
  const char *formals;
  builtin_fn *fn;
} builtin;

enum { ANY = 1000 };

/* clang-format off */
static const builtin builtins[] = {
  {"sqrt", 1, 1, "", smooth_op}, {"sin", 1, 1, "", smooth_op}, {"cos", 1, 1, "", smooth_op},
  {"tan", 1, 1, "", smooth_op}, {"asin", 1, 1, "", smooth_op}, {"acos", 1, 1, "", smooth_op},
  {"atan", 1, 1, "", smooth_op}, {"atan2", 2, 2, "", smooth_op}, {"sinh", 1, 1, "", smooth_op},
  {"cosh", 1, 1, "", smooth_op}, {"tanh", 1, 1, "", smooth_op}, {"exp", 1, 1, "", smooth_op},
  {"log", 1, 1, "", smooth_op}, {"log10", 1, 1, "", smooth_op},
  {"abs", 1, 1, "", fn_abs}, {"sign", 1, 1, "", fn_sign}, {"integer", 1, 1, "", fn_integer},
  {"floor", 1, 1, "", fn_floor}, {"ceil", 1, 1, "", fn_ceil}, {"div", 2, 2, "", fn_div},
  {"mod", 2, 2, "", fn_mod}, {"rem", 2, 2, "", fn_rem}, {"min", 1, 2, "", fn_min},
  {"max", 1, 2, "", fn_max}, {"semiLinear", 3, 3, "x,positiveSlope,negativeSlope", fn_semi_linear},
  {"der", 1, 1, "", brink__call_der}, {"pre", 1, 1, "", brink__call_pre}, {"edge", 1, 1, "", brink__call_edge},
  {"change", 1, 1, "", brink__call_change}, {"initial", 0, 0, "", brink__call_initial},
  {"terminal", 0, 0, "", brink__call_terminal}, {"sample", 2, 2, "start,interval", brink__call_sample},
  {"noEvent", 1, 1, "", brink__call_no_event}, {"smooth", 2, 2, "p,expr", brink__call_smooth},
  {"homotopy", 2, 2, "actual,simplified", brink__call_homotopy}, {"delay", 2, 3, "expr,delayTime,delayMax", brink__call_delay},
  {"reinit", 2, 2, "", brink__call_statement}, {"assert", 2, 3, "", brink__call_statement},
  {"terminate", 1, 1, "", brink__call_statement},
  {"activeState", 1, 1, "", brink__call_active}, {"initialState", 1, 1, "", brink__call_machine},
  {"transition", 3, ANY, "", brink__call_machine},
  {"Integer", 1, 1, "", brink__call_to_integer},
  {"String", 1, 4, "x,minimumLength,leftJustified,significantDigits,format", brink__call_to_string},
  {"size", 1, 2, "", brink__call_size}, {"ndims", 1, 1, "", brink__call_ndims}, {"sum", 1, 1, "", brink__call_sum},
  {"product", 1, 1, "", brink__call_product}, {"zeros", 1, ANY, "", brink__call_zeros},
  {"ones", 1, ANY, "", brink__call_ones}, {"fill", 2, ANY, "", brink__call_fill},
  {"identity", 1, 1, "", brink__call_identity}, {"diagonal", 1, 1, "", brink__call_diagonal},
  {"linspace", 3, 3, "x1,x2,n", brink__call_linspace}, {"transpose", 1, 1, "", brink__call_transpose},
  {"cross", 2, 2, "", brink__call_cross}, {"vector", 1, 1, "", brink__call_vector},
  {"scalar", 1, 1, "", brink__call_to_scalar}, {"cat", 2, ANY, "", brink__call_cat},
  {"array", 1, ANY, "", brink__call_array}, {"matrix", 1, 1, "", brink__call_matrix},
  {"symmetric", 1, 1, "", brink__call_symmetric}, {"skew", 1, 1, "", brink__call_skew},
  {"outerProduct", 2, 2, "", brink__call_outer_product},
};
/* clang-format on */

static const builtin *builtin_named(const char *name)
{
  for (size_t i = 0; i < BRINK__COUNT(builtins); i++)
    if (strcmp(builtins[i].name, name) == 0)
      return &builtins[i];
  return NULL;
}

static mo_val run(mo_low *lo, const mo_env *env, const mo_expr *e, const builtin *b)
{
  call c = {lo, env, e, e->call, b->name, b->formals};

  if (b->fn == brink__call_sample && e->call->n == 1)
    return brink__lo_bad(); /* refused by refuse.c */
  if (e->call->n < b->least || e->call->n > b->most) {
    const char *most = b->most == b->least ? ""
                       : b->most == ANY    ? " or more"
                                           : brink__lo_format(lo, " to %d", b->most);
    brink__lo_error(lo, e->at, "'%s' takes %d%s argument%s, not %d", b->name, b->least,
                    most, b->most == 1 ? "" : "s", e->call->n);
    return brink__lo_bad();
  }
  if (!brink__call_names(&c))
    return brink__lo_bad();
  for (int i = 0; i < b->least; i++)
    if (!brink__call_argument(&c, i)) {
      brink__lo_error(lo, e->at, "argument %d of '%s' is missing", i + 1, b->name);
      return brink__lo_bad();
    }
  return b->fn(&c);
}

static mo_val unknown(mo_low *lo, const mo_expr *e, const char *name)
{
  const char *best = NULL;
  int distance = MO_FAR;

  if (brink__mo_refused_name(name))
    return brink__lo_bad();
  for (size_t i = 0; i < BRINK__COUNT(builtins); i++) {
    int d = brink__lo_far(name, builtins[i].name);
    if (d < distance) {
      distance = d;
      best = builtins[i].name;
    }
  }
  if (best)
    brink__lo_error(lo, e->at, "function '%s' is not declared; did you mean '%s'?",
                    name, best);
  else
    brink__lo_error(lo, e->at, "function '%s' is not declared", name);
  return brink__lo_bad();
}

static mo_val user_call(mo_low *lo, const mo_env *env, const mo_class *cls,
                        const mo_expr *e)
{
  int n;

  const mo_class *values =
      brink__lo_enumeration(lo, &(mo_found){MO_F_CLASS, .cls = cls});
  if (values)
    return brink__call_to_literal(lo, env, values, e);
  if (cls->kind == MO_C_RECORD)
    return brink__lo_constructor(lo, env, cls, e);
  mo_val *v = brink__lo_function(lo, env, cls, e, NULL, &n);
  return n ? v[0] : brink__lo_bad();
}

mo_val *brink__lo_outputs(mo_low *lo, const mo_env *env, const mo_list *left,
                          const mo_expr *e, int *n_out)
{
  mo_found f = {.kind = MO_F_NONE};

  *n_out = 0;
  if (e->kind == MO_CALL)
    f = brink__lo_find_class(lo, env->scope, &e->call->fn, e->at);
  if (f.kind == MO_F_CLASS && f.cls->kind != MO_C_RECORD)
    return brink__lo_function(lo, env, f.cls, e, left, n_out);
  if (f.kind != MO_F_BAD)
    brink__lo_error(lo, e->at, "a function with several outputs is expected here");
  return NULL;
}

mo_val brink__lo_call(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  const mo_ref *fn = &e->call->fn;
  const char *name = fn->parts[0].name->text;
  mo_found f = brink__lo_find_class(lo, env->scope, fn, e->at);

  switch (f.kind) {
  case MO_F_BAD: return brink__lo_bad();
  case MO_F_CLASS: return user_call(lo, env, f.cls, e);
  case MO_F_LIBRARY:
    name = brink__lo_library_function(f.path);
    if (name)
      break;
    brink__lo_error(lo, e->at,
                    "'%s' is a function of a library, which is not supported; "
                    "flatten the model first",
                    f.path);
    return brink__lo_bad();
  case MO_F_INST:
  case MO_F_LOCAL:
  case MO_F_LITERAL:
    brink__lo_error(lo, e->at, "'%s' is a variable, not a function",
                    brink__lo_ref_text(lo, fn));
    return brink__lo_bad();
  case MO_F_NONE:
    if (fn->n > 1)
      return unknown(lo, e, brink__lo_ref_text(lo, fn));
    break;
  }
  const builtin *b = builtin_named(name);
  return b ? run(lo, env, e, b) : unknown(lo, e, name);
}
