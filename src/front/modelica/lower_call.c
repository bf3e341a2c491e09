/* lower_call.c -- calls of built-in functions.
 *
 * What jumps or has a kink (abs sign min max floor ceil integer div mod rem) is
 * written with relations and stairs, so that it makes events; inside noEvent() and
 * in functions it stays an operator of the graph.
 */
#include "front/modelica/calls.h"

#include <stdio.h>
#include <string.h>

#include "front/modelica/parse.h"

const mo_expr *brink__call_argument(const call *c, int i)
{
  if (i < c->c->n && !c->c->args[i].name)
    return c->c->args[i].value;

  /* the name of formal i, among the named ones */
  const char *f = c->formals;
  for (int k = 0; f && k < i; k++)
    f = strchr(f, ',') ? strchr(f, ',') + 1 : NULL;
  if (!f)
    return NULL;
  size_t n = strcspn(f, ",");
  for (int k = 0; k < c->c->n; k++)
    if (c->c->args[k].name && strlen(c->c->args[k].name->text) == n &&
        strncmp(c->c->args[k].name->text, f, n) == 0)
      return c->c->args[k].value;
  return NULL;
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

/* the variable itself, not what an algorithm has made of it so far */
static mo_val raw(const call *c, int i)
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
  return !(c->env->flags & (MO_PLAIN | MO_FUNCTION | MO_STRUCTURAL)) &&
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
  return brink__lo_stair(c->lo, c->env, c->e->at, 0, a, c->e);
}

static brink__node one_ceil(const call *c, brink__node a)
{
  return brink__lo_stair(c->lo, c->env, c->e->at, 1, a, c->e);
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
    if (!n)
      return brink__lo_bad();
    if (r.nd)
      r.v[k] = n;
    else
      r.one = n;
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
  brink__node q = brink__call_op(c, BRINK_OP_DIV, a, b);

  if (!q)
    return q;
  return pick(c, relation(c, BRINK_OP_GE, q, zero(c)), one_floor(c, q), one_ceil(c, q));
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
    if (!a.nd || brink__lo_count(&a) == 0) {
      brink__lo_error(c->lo, c->e->at,
                      "'%s' needs two numbers, or an array that is not "
                      "empty",
                      c->name);
      return brink__lo_bad();
    }
    brink__node n = a.v[0];
    for (size_t k = 1; k < brink__lo_count(&a); k++)
      n = extreme(c, largest, n, a.v[k]);
    mo_val r = brink__call_result(a.base, n);
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

/* ------------------------------------------------------------------ time ---- */

static mo_val fn_der(call *c)
{
  mo_val a = raw(c, 0);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  mo_val r = {.base = MO_V_REAL};
  if (a.nd)
    r = brink__lo_array(c->lo, MO_V_REAL, a.nd, a.dims);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = brink__lo_der(c->lo, c->env, c->e->at, brink__lo_at(&a, k));
    if (!n)
      return brink__lo_bad();
    if (r.nd)
      r.v[k] = n;
    else
      r.one = n;
  }
  return r;
}

static mo_val fn_pre(call *c)
{
  mo_inst *text = brink__lo_text_of(c->lo, c->env, brink__call_argument(c, 0));
  if (text)
    return brink__lo_text_value(c->lo, text, c->e->at, 1);
  mo_val a = raw(c, 0);
  mo_val r = a.nd ? brink__lo_copy(c->lo, &a) : a;

  if (a.base == MO_V_STRING || a.base == MO_V_RECORD)
    return brink__call_not_number(c, &a);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = brink__lo_pre(c->lo, c->env, c->e->at, brink__lo_at(&a, k));
    if (!n)
      return brink__lo_bad();
    if (r.nd)
      r.v[k] = n;
    else
      r.one = n;
  }
  return r;
}

/* a Boolean that is not a variable gets one, so that it has a left limit */
static brink__node with_left_limit(const call *c, brink__node n, brink__type type)
{
  return brink__lo_with_left_limit(c->lo, c->e->at, n, type);
}

/* what argument 0 is now, and what it was before; 0: bad.  In an algorithm these are
 * the value so far and the left limit of the variable. */
static int now_and_before(call *c, mo_val *now, brink__node *before)
{
  mo_val own = raw(c, 0);

  *now = brink__call_value(c, 0);
  if (now->base == MO_V_BAD || own.base == MO_V_BAD)
    return 0;
  if (now->nd || now->base == MO_V_STRING || now->base == MO_V_RECORD) {
    brink__call_not_number(c, now);
    return 0;
  }
  *before = now->one;
  if (c->lo->dry)
    return 1;
  if (now->base == MO_V_BOOLEAN && brink__lo_var_of(c->lo, own.one) < 0)
    own.one = now->one = with_left_limit(c, now->one, BRINK_TYPE_BOOLEAN);
  *before = brink__lo_pre(c->lo, c->env, c->e->at, own.one);
  return *before && now->one;
}

static mo_val fn_edge(call *c)
{
  mo_val now;
  brink__node before;

  if (!now_and_before(c, &now, &before))
    return brink__lo_bad();
  if (now.base != MO_V_BOOLEAN) {
    brink__lo_error(c->lo, c->e->at, "'edge' needs a Boolean, not %s",
                    brink__lo_type_text(c->lo, &now));
    return brink__lo_bad();
  }
  return brink__call_result(MO_V_BOOLEAN,
                            brink__call_op(c, BRINK_OP_AND, now.one,
                                           brink__call_op(c, BRINK_OP_NOT, before, 0)));
}

static mo_val fn_change(call *c)
{
  mo_val now;
  brink__node before;

  if (!now_and_before(c, &now, &before))
    return brink__lo_bad();
  return brink__call_result(MO_V_BOOLEAN,
                            brink__call_op(c, BRINK_OP_NE, now.one, before));
}

static mo_val flag(call *c, int32_t *id)
{
  if (c->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(c->env->flags & MO_QUIET))
      brink__lo_error(c->lo, c->e->at, "'%s' cannot be used here", c->name);
    return brink__lo_bad();
  }
  if (*id < 0)
    *id = brink__lo_symbol(c->lo, MO_SYM_FLAG, 0, BRINK__DISCRETE);
  if (*id < 0)
    return brink__lo_bad();
  return brink__lo_scalar(c->lo, MO_V_BOOLEAN,
                          brink__symbol(c->lo->g, *id, BRINK_TYPE_BOOLEAN));
}

static mo_val fn_initial(call *c) { return flag(c, &c->lo->flat->initial); }
static mo_val fn_terminal(call *c) { return flag(c, &c->lo->flat->terminal); }

static mo_val fn_sample(call *c)
{
  brink__node start = brink__call_scalar(c, 0, MO_V_REAL),
              interval = brink__call_scalar(c, 1, MO_V_REAL);

  if (!start || !interval)
    return brink__lo_bad();
  if (c->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(c->env->flags & MO_QUIET))
      brink__lo_error(c->lo, c->e->at, "'sample' cannot be used here");
    return brink__lo_bad();
  }
  return brink__call_result(
      MO_V_BOOLEAN, brink__lo_sample(c->lo, c->env, c->e->at, start, interval, c->e));
}

static mo_val without_events(const call *c, int i)
{
  mo_env inner = *c->env;

  inner.flags |= MO_PLAIN;
  return brink__lo_expr(c->lo, &inner, brink__call_argument(c, i));
}

static mo_val fn_no_event(call *c) { return without_events(c, 0); }

static mo_val fn_smooth(call *c)
{
  int64_t p;

  if (!brink__lo_int(c->lo, c->env, brink__call_argument(c, 0), "the order of 'smooth'",
                     &p))
    return brink__lo_bad();
  if (p < 0) {
    brink__lo_error(c->lo, c->e->at,
                    "the order of 'smooth' is %lld; it must not be "
                    "negative",
                    (long long)p);
    return brink__lo_bad();
  }
  return without_events(c, 1);
}

static mo_val fn_homotopy(call *c)
{
  mo_val simplified = brink__call_value(c, 1);

  return simplified.base == MO_V_BAD ? simplified : brink__call_value(c, 0);
}

static mo_val fn_delay(call *c)
{
  mo_val a = brink__call_value(c, 0);
  brink__node by = brink__call_scalar(c, 1, MO_V_REAL), most = BRINK__NONE;

  if (c->c->n == 3) {
    most = brink__call_scalar(c, 2, MO_V_REAL);
    if (!most)
      return brink__lo_bad();
  }
  if (a.base == MO_V_BAD || !by)
    return brink__lo_bad();
  if (c->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(c->env->flags & MO_QUIET))
      brink__lo_error(c->lo, c->e->at, "'delay' cannot be used here");
    return brink__lo_bad();
  }
  a = brink__lo_coerce(c->lo, c->e->at, a, MO_V_REAL, NULL, "the argument of 'delay'");
  mo_val r = a.base == MO_V_BAD ? a : brink__lo_copy(c->lo, &a);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n =
        brink__lo_delay(c->lo, c->e->at, brink__lo_at(&a, k), by, most, c->e);
    if (!n)
      return brink__lo_bad();
    if (r.nd)
      r.v[k] = n;
    else
      r.one = n;
  }
  return r;
}

static mo_val fn_statement(call *c)
{
  brink__lo_error(c->lo, c->e->at, "'%s' is a statement, it has no value", c->name);
  return brink__lo_bad();
}

static mo_val fn_machine(call *c)
{
  brink__lo_error(c->lo, c->e->at,
                  "'%s' stands in an equation section, outside of when", c->name);
  return brink__lo_bad();
}

static mo_val fn_active(call *c)
{
  return brink__call_result(
      MO_V_BOOLEAN, brink__lo_active(c->lo, c->env, brink__call_argument(c, 0)));
}

/* ---------------------------------------------------------- conversions ---- */

static mo_val fn_Integer(call *c)
{
  mo_val a = brink__call_value(c, 0);

  if (a.base == MO_V_BAD)
    return a;
  if (a.base != MO_V_ENUM || a.nd) {
    brink__lo_error(c->lo, c->e->at, "'Integer' needs an enumeration, not %s",
                    brink__lo_type_text(c->lo, &a));
    return brink__lo_bad();
  }
  return brink__call_result(MO_V_INTEGER,
                            brink__call_op(c, BRINK_OP_ORDINAL, a.one, 0));
}

/* an option of String(...): a number that is known; 0: bad */
static int option(const call *c, int i, const char *what, int64_t *out)
{
  const mo_expr *e = brink__call_argument(c, i);

  return !e || brink__lo_int(c->lo, c->env, e, what, out);
}

static int left_justified(const call *c, int i, int *left)
{
  const mo_expr *e = brink__call_argument(c, i);
  mo_env known = *c->env;
  double v;

  *left = 1;
  if (!e)
    return 1;
  known.flags |= MO_STRUCTURAL;
  brink__node n = brink__lo_expr_as(c->lo, &known, e, MO_V_BOOLEAN, "leftJustified");
  if (!n || !brink__lo_const(c->lo, n, &v))
    return 0;
  *left = v != 0;
  return 1;
}

enum { O_X, O_LENGTH, O_LEFT, O_DIGITS, O_FORMAT };

/* "%.3f" or ".3f": what String(x, format = ...) says, for one number; NULL: bad */
static const char *own_format(const call *c)
{
  mo_env known = *c->env;
  const mo_expr *e = brink__call_argument(c, O_FORMAT);

  known.flags |= MO_STRUCTURAL;
  mo_val v = brink__lo_expr(c->lo, &known, e);
  v = brink__lo_coerce(c->lo, e->at, v, MO_V_STRING, NULL, "format");
  if (v.base == MO_V_BAD || v.n_parts || v.nd)
    return NULL;
  const char *s = brink__lo_plain(c->lo, v.text);
  s += *s == '%';
  size_t n = strlen(s), flags = strspn(s, "-"), width = strspn(s + flags, "0123456789");
  size_t at = flags + width;
  if (s[at] == '.')
    at += 1 + strspn(s + at + 1, "0123456789");
  if (flags > 1 || n != at + 1 || !strchr("gfed", s[at])) {
    brink__lo_error(c->lo, e->at,
                    "the format '%s' is not supported; use [-][width][.digits] and "
                    "one of g f e d",
                    s);
    return NULL;
  }
  return s;
}

/* how a number is written: the part of %0{...} between the braces; NULL: bad */
static const char *format_of(const call *c, mo_base base)
{
  int64_t length = 0, digits = 6;
  int left;

  if (brink__call_argument(c, O_FORMAT))
    return own_format(c);
  if (!option(c, O_LENGTH, "minimumLength", &length) ||
      !option(c, O_DIGITS, "significantDigits", &digits) ||
      !left_justified(c, O_LEFT, &left))
    return NULL;
  if (length < 0 || length > 200 || digits < 1 || digits > 40) {
    brink__lo_error(c->lo, c->e->at,
                    "'String' writes at most 200 characters and 40 digits");
    return NULL;
  }
  const char *width = "";
  if (length)
    width = brink__lo_format(c->lo, "%s%lld", left ? "-" : "", (long long)length);
  if (base == MO_V_REAL)
    return brink__lo_format(c->lo, "%s.%lldg", width, (long long)digits);
  return brink__lo_format(c->lo, "%sd", width);
}

/* words padded to minimumLength */
static mo_val word(const call *c, const char *s)
{
  int64_t length = 0;
  int left;

  if (!option(c, O_LENGTH, "minimumLength", &length) ||
      !left_justified(c, O_LEFT, &left))
    return brink__lo_bad();
  int width = length > 0 && length <= 200 ? (int)length : 0;
  return brink__lo_string(brink__lo_format(c->lo, "%*s", left ? -width : width, s));
}

static mo_val fn_String(call *c)
{
  mo_val a = brink__call_value(c, 0), words[2];

  if (a.base == MO_V_BAD || (a.base == MO_V_STRING && !a.nd))
    return a;
  if (a.nd || a.base == MO_V_RECORD)
    return brink__call_not_number(c, &a);
  if (a.base == MO_V_BOOLEAN) {
    words[0] = word(c, "false");
    words[1] = word(c, "true");
    if (words[0].base == MO_V_BAD || words[1].base == MO_V_BAD)
      return brink__lo_bad();
    return brink__lo_one_text(c->lo, a.one, 0, words, 2);
  }
  if (a.base == MO_V_ENUM) {
    size_t n = (size_t)a.cls->n_literals;
    mo_val *v = brink__lo_take(c->lo, (n + 1) * sizeof *v);
    for (size_t i = 0; v && i < n; i++) {
      v[i] = word(c, a.cls->literals[i].name->bare);
      if (v[i].base == MO_V_BAD)
        return v[i];
    }
    return v ? brink__lo_one_text(c->lo, a.one, 1, v, n) : brink__lo_bad();
  }
  const char *format = format_of(c, a.base);
  if (!format)
    return brink__lo_bad();
  mo_val r = brink__lo_string(brink__lo_format(c->lo, "%%0{%s}", format));
  r.parts = brink__lo_take(c->lo, sizeof *r.parts);
  if (!r.parts)
    return brink__lo_bad();
  r.parts[0] = a.one;
  r.n_parts = 1;
  return r;
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
  {"der", 1, 1, "", fn_der}, {"pre", 1, 1, "", fn_pre}, {"edge", 1, 1, "", fn_edge},
  {"change", 1, 1, "", fn_change}, {"initial", 0, 0, "", fn_initial},
  {"terminal", 0, 0, "", fn_terminal}, {"sample", 2, 2, "start,interval", fn_sample},
  {"noEvent", 1, 1, "", fn_no_event}, {"smooth", 2, 2, "p,expr", fn_smooth},
  {"homotopy", 2, 2, "actual,simplified", fn_homotopy}, {"delay", 2, 3, "expr,delayTime,delayMax", fn_delay},
  {"reinit", 2, 2, "", fn_statement}, {"assert", 2, 3, "", fn_statement},
  {"terminate", 1, 1, "", fn_statement},
  {"activeState", 1, 1, "", fn_active}, {"initialState", 1, 1, "", fn_machine},
  {"transition", 3, ANY, "", fn_machine},
  {"Integer", 1, 1, "", fn_Integer},
  {"String", 1, 4, "x,minimumLength,leftJustified,significantDigits,format", fn_String},
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

  if (b->fn == fn_sample && e->call->n == 1)
    return brink__lo_bad(); /* refused by refuse.c */
  if (e->call->n < b->least || e->call->n > b->most) {
    brink__lo_error(lo, e->at, "'%s' takes %d argument%s, not %d", b->name, b->least,
                    b->least == 1 ? "" : "s", e->call->n);
    return brink__lo_bad();
  }
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

  if (cls->kind == MO_C_RECORD)
    return brink__lo_constructor(lo, env, cls, e);
  mo_val *v = brink__lo_function(lo, env, cls, e, &n);
  return n ? v[0] : brink__lo_bad();
}

mo_val *brink__lo_outputs(mo_low *lo, const mo_env *env, const mo_expr *e, int *n_out)
{
  mo_found f = {.kind = MO_F_NONE};

  *n_out = 0;
  if (e->kind == MO_CALL)
    f = brink__lo_find_class(lo, env->scope, &e->call->fn, e->at);
  if (f.kind == MO_F_CLASS && f.cls->kind != MO_C_RECORD)
    return brink__lo_function(lo, env, f.cls, e, n_out);
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
