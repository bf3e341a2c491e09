/* lower_expr.c -- expressions to values.
 *
 * Both branches of an `if` become laws, chosen by frozen relations; a condition that
 * is a constant takes its branch at once, and the other one is not looked at, so that
 * `if n > 1 then x[n - 1] else 0` has a meaning for n = 1.  The same holds for what
 * `and` and `or` do not need.
 */
#include "front/modelica/lower.h"

#include <math.h>
#include <string.h>

#include "front/modelica/parse.h"

int brink__lo_const(mo_low *lo, brink__node n, double *out)
{
  if (!n || brink__node_op(lo->g, n) != BRINK_OP_CONST)
    return 0;
  *out = brink__node_value(lo->g, n);
  return 1;
}

/* A parameter that was handed to a function, say: read its value after all. */
int brink__lo_settled(mo_low *lo, brink__node n, double *out)
{
  brink__pattern p;
  int ok = 1;
  size_t decided = lo->n_structural;

  if (brink__lo_const(lo, n, out))
    return 1;
  if (!n || brink__lo_varies(lo, n) > BRINK__PARAMETER ||
      brink__pattern_new(lo->g, 1, &n, 0, NULL, &p) < 0)
    return 0;
  size_t cap = lo->n_symbols + 1;
  brink__node *by = brink__alloc(lo->ctx, cap * sizeof *by);
  if (by)
    memset(by, 0, cap * sizeof *by);
  for (size_t k = 0; by && ok && k < p.nnz; k++) {
    const mo_symbol *s = &lo->symbols[p.col[k]];
    mo_inst *inst = s->kind == MO_SYM_VALUE ? lo->var_inst[s->index] : NULL;
    mo_val v = brink__lo_bad();
    if (inst)
      v = brink__lo_known(lo, inst, lo->here, MO_STRUCTURAL | MO_QUIET);
    ok = v.base != MO_V_BAD;
    if (ok)
      by[p.col[k]] = brink__lo_at(&v, v.nd ? (size_t)(s->index - inst->var) : 0);
  }
  ok = by && ok && brink__substitute(lo->g, cap, by, 1, &n, &n) == BRINK_OK;
  brink__free(lo->ctx, by, cap * sizeof *by);
  brink__pattern_drop(&p);
  ok = ok && brink__lo_const(lo, n, out);
  if (!ok)
    brink__lo_undecide(lo, decided);
  return ok;
}

/* -------------------------------------------------------------- literals ---- */

static mo_val number(mo_low *lo, const mo_expr *e)
{
  if (!isfinite(e->real)) {
    brink__lo_error(lo, e->at, "this number is too large");
    return brink__lo_bad();
  }
  return brink__lo_scalar(lo, MO_V_REAL, brink__real(lo->g, e->real));
}

static mo_val whole(mo_low *lo, const mo_expr *e)
{
  if (e->integer > (int64_t)1 << 53 || e->integer < -((int64_t)1 << 53)) {
    brink__lo_error(lo, e->at,
                    "Integer overflow: this number does not fit; write it as a "
                    "Real (with a point)");
    return brink__lo_bad();
  }
  return brink__lo_scalar(lo, MO_V_INTEGER, brink__integer(lo->g, e->integer));
}

/* what marks places of numbers is escaped, see brink__flat_action */
static mo_val text(mo_low *lo, const char *s)
{
  char *copy = brink__lo_take(lo, 2 * strlen(s) + 1), *to = copy;

  if (!copy)
    return brink__lo_bad();
  for (; *s; s++) {
    if (strchr("%|{}", *s))
      *to++ = '%';
    *to++ = *s;
  }
  return brink__lo_string(copy);
}

/* ------------------------------------------------------------- operators ---- */

static mo_val unary(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  mo_val a = brink__lo_expr(lo, env, e->args.v[0]);

  if (a.base == MO_V_BAD)
    return a;
  if (e->op == MO_OP_NOT) {
    if (a.base == MO_V_BOOLEAN)
      return brink__lo_map(lo, e->at, BRINK_OP_NOT, MO_V_BOOLEAN, &a, NULL);
    brink__lo_error(lo, e->at, "'not' needs a Boolean, not %s",
                    brink__lo_type_text(lo, &a));
    return brink__lo_bad();
  }
  if (e->op == MO_OP_SUB || e->op == MO_OP_DOT_SUB)
    return brink__lo_negate(lo, e->at, &a);
  if (a.base != MO_V_REAL && a.base != MO_V_INTEGER) {
    brink__lo_error(lo, e->at, "'+' needs a number, not %s",
                    brink__lo_type_text(lo, &a));
    return brink__lo_bad();
  }
  return a;
}

static mo_val arithmetic(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  const mo_chain *c = &e->chain;
  mo_val a = brink__lo_expr(lo, env, c->v[0].e);

  for (int i = 1; i < c->n; i++) {
    mo_val b = brink__lo_expr(lo, env, c->v[i].e);
    a = brink__lo_arith(lo, e->at, c->v[i].op, &a, &b);
  }
  return a;
}

static mo_val power(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  mo_val a = brink__lo_expr(lo, env, e->args.v[0]);
  mo_val b = brink__lo_expr(lo, env, e->args.v[1]);

  return brink__lo_arith(lo, e->at, e->op, &a, &b);
}

static mo_val logic(mo_low *lo, const mo_env *env, const mo_expr *e, brink__op op)
{
  const mo_chain *c = &e->chain;
  mo_val a = {.base = MO_V_BOOLEAN};

  for (int i = 0; i < c->n; i++) {
    double v;
    mo_val b = brink__lo_expr(lo, env, c->v[i].e);
    if (b.base == MO_V_BAD || a.base == MO_V_BAD) {
      a = brink__lo_bad();
      continue;
    }
    if (b.base != MO_V_BOOLEAN) {
      brink__lo_error(lo, c->v[i].e->at, "'%s' needs a Boolean, not %s",
                      brink__op_text(op), brink__lo_type_text(lo, &b));
      a = brink__lo_bad();
      continue;
    }
    a = i == 0 ? b : brink__lo_map(lo, e->at, op, MO_V_BOOLEAN, &a, &b);
    if (a.nd == 0 && brink__lo_const(lo, a.one, &v) && (v != 0) == (op == BRINK_OP_OR))
      return a; /* decided */
  }
  return a;
}

static brink__op relation_op(mo_op op)
{
  switch (op) {
  case MO_OP_LT: return BRINK_OP_LT;
  case MO_OP_LE: return BRINK_OP_LE;
  case MO_OP_GT: return BRINK_OP_GT;
  case MO_OP_GE: return BRINK_OP_GE;
  case MO_OP_EQ: return BRINK_OP_EQ;
  case MO_OP_NONE:
  case MO_OP_ADD:
  case MO_OP_SUB:
  case MO_OP_DOT_ADD:
  case MO_OP_DOT_SUB:
  case MO_OP_MUL:
  case MO_OP_DIV:
  case MO_OP_DOT_MUL:
  case MO_OP_DOT_DIV:
  case MO_OP_POW:
  case MO_OP_DOT_POW:
  case MO_OP_NE:
  case MO_OP_NOT:
  case MO_OP_AND:
  case MO_OP_OR: return BRINK_OP_NE;
  }
  return BRINK_OP_NE;
}

const char *brink__lo_plain(mo_low *lo, const char *text)
{
  char *copy = brink__lo_take(lo, strlen(text) + 1), *to = copy;

  if (!copy)
    return "";
  for (; *text; text++) {
    text += *text == '%' && text[1];
    *to++ = *text;
  }
  return copy;
}

static mo_val compare_text(mo_low *lo, const mo_expr *e, const mo_val *a,
                           const mo_val *b)
{
  if (a->n_parts || b->n_parts || (e->op != MO_OP_EQ && e->op != MO_OP_NE)) {
    brink__lo_error(lo, e->at, "only constant Strings can be compared, by == and <>");
    return brink__lo_bad();
  }
  int equal = strcmp(a->text, b->text) == 0;
  return brink__lo_scalar(lo, MO_V_BOOLEAN,
                          brink__boolean(lo->g, e->op == MO_OP_EQ ? equal : !equal));
}

static mo_val relation(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  mo_val a = brink__lo_expr(lo, env, e->args.v[0]);
  mo_val b = brink__lo_expr(lo, env, e->args.v[1]);
  brink__op op = relation_op(e->op);

  if (a.base == MO_V_BAD || b.base == MO_V_BAD)
    return brink__lo_bad();
  int real = a.base == MO_V_REAL || b.base == MO_V_REAL;
  int numbers = (a.base == MO_V_REAL || a.base == MO_V_INTEGER) &&
                (b.base == MO_V_REAL || b.base == MO_V_INTEGER);
  if ((!numbers && (a.base != b.base || a.cls != b.cls || a.base == MO_V_RECORD)) ||
      a.nd || b.nd) {
    brink__lo_error(lo, e->at, "'%s' cannot compare %s and %s",
                    brink__mo_op_text(e->op), brink__lo_type_text(lo, &a),
                    brink__lo_type_text(lo, &b));
    return brink__lo_bad();
  }
  if (a.base == MO_V_STRING)
    return compare_text(lo, e, &a, &b);
  int plain = env->flags & (MO_PLAIN | MO_FUNCTION | MO_STRUCTURAL);
  int moving = brink__lo_varies(lo, a.one) == BRINK__CONTINUOUS ||
               brink__lo_varies(lo, b.one) == BRINK__CONTINUOUS;
  if (op == BRINK_OP_EQ || op == BRINK_OP_NE) {
    if (real && moving && !plain) {
      brink__lo_error(lo, e->at,
                      "'%s' of continuous Reals is never reached exactly; use < "
                      "<= > or >=",
                      brink__mo_op_text(e->op));
      return brink__lo_bad();
    }
    return brink__lo_map(lo, e->at, op, MO_V_BOOLEAN, &a, &b);
  }
  if (!numbers)
    return brink__lo_map(lo, e->at, op, MO_V_BOOLEAN, &a, &b);
  brink__node n = brink__lo_relation(lo, env, e->at, op, a.one, b.one, e);
  return n ? (mo_val){.base = MO_V_BOOLEAN, .one = n} : brink__lo_bad();
}

/* -------------------------------------------------------------------- if ---- */

/* Made of Integers and Booleans, not of Reals? */
static int by_counting(mo_low *lo, const mo_env *known, const mo_expr *e)
{
  if (e->kind == MO_AND || e->kind == MO_OR) {
    for (int i = 0; i < e->chain.n; i++)
      if (!by_counting(lo, known, e->chain.v[i].e))
        return 0;
    return 1;
  }
  if (e->kind == MO_UNARY)
    return by_counting(lo, known, e->args.v[0]);
  if (e->kind != MO_RELATION)
    return e->kind == MO_BOOLEAN || e->kind == MO_REF;
  mo_val left = brink__lo_expr(lo, known, e->args.v[0]);
  return left.base != MO_V_REAL && left.base != MO_V_BAD;
}

/* A condition in whole-numbered parameters chooses its branch here: the other one may
 * not even make sense, as x[i + 1] in `if i < n then x[i + 1] else 0`. */
static int known_condition(mo_low *lo, const mo_env *env, const mo_expr *e,
                           double *value)
{
  mo_env known = *env;
  size_t decided = lo->n_structural;

  known.flags |= MO_STRUCTURAL | MO_QUIET;
  mo_val v = brink__lo_bad();
  if (by_counting(lo, &known, e))
    v = brink__lo_expr(lo, &known, e);
  if (v.base == MO_V_BOOLEAN && v.nd == 0 && brink__lo_const(lo, v.one, value))
    return 1;
  brink__lo_undecide(lo, decided);
  return 0;
}

static brink__node both(mo_low *lo, brink__node a, brink__node b)
{
  return a && b ? brink__op2(lo->g, BRINK_OP_AND, a, b) : a ? a : b;
}

static mo_val choice(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  int n = 0, last = e->args.n - 1;
  size_t most = (size_t)(e->args.n / 2) + 1;
  brink__node *cond = brink__lo_take(lo, most * sizeof *cond);
  mo_val *value = brink__lo_take(lo, most * sizeof *value);
  mo_val r = brink__lo_bad();
  brink__node outer = lo->path, path = outer;
  int bad = 0, i;

  if (!cond || !value)
    return r;
  for (i = 0; i < last; i += 2) {
    double v;
    if (known_condition(lo, env, e->args.v[i], &v)) {
      if (v == 0)
        continue;
      break;
    }
    cond[n] = brink__lo_expr_as(lo, env, e->args.v[i], MO_V_BOOLEAN, "a condition");
    if (!cond[n]) {
      bad = 1;
      brink__lo_expr(lo, env, e->args.v[i + 1]); /* for its own faults */
      continue;
    }
    if (brink__lo_const(lo, cond[n], &v)) {
      if (v == 0)
        continue;
      break;
    }
    lo->path = both(lo, path, cond[n]);
    value[n] = brink__lo_expr(lo, env, e->args.v[i + 1]);
    path = both(lo, path, brink__op1(lo->g, BRINK_OP_NOT, cond[n++]));
    lo->path = path;
  }
  r = brink__lo_expr(lo, env, e->args.v[i < last ? i + 1 : last]);
  lo->path = outer;
  while (n-- > 0)
    r = brink__lo_select(lo, e->at, cond[n], &value[n], &r);
  return bad ? brink__lo_bad() : r;
}

/* ---------------------------------------------------------------- arrays ---- */

/* from, step, to of a range; what: its type.  0: bad, reported */
static int range_bounds(mo_low *lo, const mo_env *env, const mo_expr *e, double *v,
                        mo_val *what)
{
  mo_env inner = *env;
  int n = e->args.n;

  inner.flags |= MO_STRUCTURAL;
  for (int i = 0; i < n; i++) {
    mo_val a = brink__lo_expr(lo, &inner, e->args.v[i]);
    int k = n == 2 && i == 1 ? 2 : i;
    int number = a.base == MO_V_INTEGER || a.base == MO_V_REAL;
    int value = (a.base == MO_V_BOOLEAN || a.base == MO_V_ENUM) && n == 2;
    if (a.base == MO_V_BAD)
      return 0;
    int alike = i == 0 || (number && what->base != MO_V_BOOLEAN && !what->cls) ||
                (a.base == what->base && a.cls == what->cls);
    if (a.nd || !(number || value) || !alike || !brink__lo_settled(lo, a.one, &v[k])) {
      brink__lo_error(lo, e->at,
                      "a range needs numbers, or two Booleans or literals of an "
                      "enumeration, that are known before the run");
      return 0;
    }
    if (i == 0 || a.base == MO_V_REAL)
      *what = a;
  }
  return 1;
}

static brink__node range_value(mo_low *lo, mo_base base, double v)
{
  return base == MO_V_REAL      ? brink__real(lo->g, v)
         : base == MO_V_INTEGER ? brink__integer(lo->g, (int64_t)v)
         : base == MO_V_BOOLEAN ? brink__boolean(lo->g, v != 0)
                                : brink__ordinal(lo->g, (int)v);
}

static mo_val range(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  double v[3] = {0, 1, 0};
  mo_val what = {.base = MO_V_INTEGER};

  if (!range_bounds(lo, env, e, v, &what))
    return brink__lo_bad();
  if (v[1] == 0) {
    brink__lo_error(lo, e->at, "the step of a range is 0");
    return brink__lo_bad();
  }
  /* rounding must not lose the last element: [Modelica36, 10.4.3] asks for a small
   * slack */
  double count = floor((v[2] - v[0]) / v[1] * (1 + 1e-15) + 1e-12) + 1;
  if (count > MO_MAX_ELEMENTS) {
    brink__lo_error(lo, e->at, "this range has more than %d elements", MO_MAX_ELEMENTS);
    return brink__lo_bad();
  }
  int dims[1] = {count > 0 ? (int)count : 0};
  mo_val r = brink__lo_array(lo, what.base, 1, dims);
  r.cls = what.cls;
  for (int i = 0; r.base != MO_V_BAD && i < dims[0]; i++)
    r.v[i] = range_value(lo, what.base, v[0] + i * v[1]);
  return r;
}

static int agree(mo_low *lo, mo_at at, const mo_val *a, const mo_val *b, mo_base *base)
{
  int numbers = (a->base == MO_V_REAL || a->base == MO_V_INTEGER) &&
                (b->base == MO_V_REAL || b->base == MO_V_INTEGER);

  if (a->base == MO_V_BAD || b->base == MO_V_BAD)
    return 0;
  if (numbers && (b->base == MO_V_REAL || *base == MO_V_REAL))
    *base = MO_V_REAL;
  if ((numbers || (a->base == b->base && a->cls == b->cls)) &&
      brink__lo_same_shape(a, b))
    return 1;
  brink__lo_error(lo, at, "the elements of an array must be alike, not %s and %s",
                  brink__lo_type_text(lo, a), brink__lo_type_text(lo, b));
  return 0;
}

/* n values under one new first dimension */
static mo_val gather(mo_low *lo, mo_at at, mo_val *v, int n)
{
  int dims[MO_MAX_DIMS + 1] = {n};
  mo_base base = n ? v[0].base : MO_V_INTEGER;
  int nd = n ? v[0].nd + 1 : 1;

  for (int i = 0; i < n; i++)
    if (!agree(lo, at, &v[0], &v[i], &base))
      return brink__lo_bad();
  if (n && brink__lo_is_compound(&v[0]))
    return brink__lo_gather(lo, at, v, (size_t)n, 1, dims);
  if (nd > MO_MAX_DIMS) {
    brink__lo_error(lo, at, "arrays have at most %d dimensions", MO_MAX_DIMS);
    return brink__lo_bad();
  }
  for (int i = 1; i < nd; i++)
    dims[i] = v[0].dims[i - 1];
  mo_val r = brink__lo_array(lo, base, nd, dims);
  if (r.base == MO_V_BAD)
    return r;
  r.cls = n ? v[0].cls : NULL;
  size_t each = n ? brink__lo_count(&v[0]) : 0;
  for (int i = 0; i < n; i++)
    for (size_t k = 0; k < each; k++) {
      brink__node x = brink__lo_at(&v[i], k);
      r.v[(size_t)i * each + k] =
          base == MO_V_REAL ? brink__op1(lo->g, BRINK_OP_REAL, x) : x;
    }
  return r;
}

/* {body for i in r, j in s}: the last iterator is the outermost dimension */
static mo_val comprehension(mo_low *lo, const mo_env *env, const mo_for *f, int last,
                            mo_at at)
{
  mo_val values;

  if (last < 0)
    return brink__lo_expr(lo, env, f->body);
  if (!brink__lo_iterate(lo, env, &(mo_loop){f->iters, f->n, NULL, f->body}, last,
                         &values))
    return brink__lo_bad();
  int n = values.dims[0];
  mo_val *v = brink__lo_take(lo, ((size_t)n + 1) * sizeof *v);
  for (int i = 0; v && i < n; i++) {
    if (!brink__lo_turn(lo, f->iters[last].at))
      return brink__lo_bad();
    mo_val one = brink__lo_element(lo, &values, &i, 1);
    mo_scope scope = *env->scope;
    mo_local local = {scope.locals, f->iters[last].name, &one, 0, 0};
    mo_env inner = *env;
    scope.locals = &local;
    inner.scope = &scope;
    v[i] = comprehension(lo, &inner, f, last - 1, at);
    if (v[i].base == MO_V_BAD)
      return v[i];
  }
  return v ? gather(lo, at, v, n) : brink__lo_bad();
}

static mo_val array(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  if (e->args.n == 1 && e->args.v[0]->kind == MO_FOR)
    return comprehension(lo, env, e->args.v[0]->loop, e->args.v[0]->loop->n - 1, e->at);
  mo_val *v = brink__lo_take(lo, ((size_t)e->args.n + 1) * sizeof *v);
  for (int i = 0; v && i < e->args.n; i++)
    v[i] = brink__lo_expr(lo, env, e->args.v[i]);
  return v ? gather(lo, e->at, v, e->args.n) : brink__lo_bad();
}

static mo_val two_dims(const mo_val *v)
{
  mo_val r = *v;

  if (v->nd == 0)
    r.v = NULL; /* read by brink__lo_at of the original */
  r.nd = 2;
  r.dims[0] = v->nd ? v->dims[0] : 1;
  r.dims[1] = v->nd > 1 ? v->dims[1] : 1;
  return r;
}

/* blocks side by side (along = 1) or one above the other (along = 0) */
static mo_val blocks(mo_low *lo, mo_at at, mo_val *v, int n, int along)
{
  mo_val all = v[0];
  int dims[2] = {0, 0}, offset = 0;

  for (int i = 0; i < n; i++) {
    mo_val a = two_dims(&v[i]), first = two_dims(&v[0]), flat = {.base = v[i].base};
    mo_val flat0 = {.base = v[0].base, .cls = v[0].cls};
    flat.cls = v[i].cls;
    if (v[i].nd > 2)
      brink__lo_error(lo, at, "the parts of a matrix have at most two dimensions");
    if (v[i].nd > 2 || !agree(lo, at, &flat0, &flat, &all.base))
      return brink__lo_bad();
    if (a.dims[!along] != first.dims[!along]) {
      brink__lo_error(lo, at, "the parts of this matrix do not fit together");
      return brink__lo_bad();
    }
    dims[along] += a.dims[along];
    dims[!along] = a.dims[!along];
  }
  size_t size = (size_t)dims[0] * (size_t)dims[1];
  mo_pos *from = brink__lo_take(lo, (size + 1) * sizeof *from);
  for (int i = 0; from && i < n; i++) {
    mo_val a = two_dims(&v[i]);
    for (int row = 0; row < a.dims[0]; row++)
      for (int col = 0; col < a.dims[1]; col++) {
        int to = along ? row * dims[1] + offset + col : (offset + row) * dims[1] + col;
        from[to] = (mo_pos){i, (size_t)(row * a.dims[1] + col)};
      }
    offset += a.dims[along];
    v[i] = brink__lo_coerce(lo, at, v[i], all.base, all.cls, "a part of this matrix");
  }
  return from ? brink__lo_rearrange(lo, at, v, from, 2, dims) : brink__lo_bad();
}

static mo_val matrix(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  mo_val *rows = brink__lo_take(lo, ((size_t)e->args.n + 1) * sizeof *rows);

  for (int i = 0; rows && i < e->args.n; i++) {
    const mo_list *list = &e->args.v[i]->args;
    mo_val *v = brink__lo_take(lo, ((size_t)list->n + 1) * sizeof *v);
    for (int k = 0; v && k < list->n; k++) {
      v[k] = brink__lo_expr(lo, env, list->v[k]);
      if (v[k].base == MO_V_BAD)
        return v[k];
    }
    rows[i] = v ? blocks(lo, e->at, v, list->n, 1) : brink__lo_bad();
    if (rows[i].base == MO_V_BAD)
      return rows[i];
  }
  return rows ? blocks(lo, e->at, rows, e->args.n, 0) : brink__lo_bad();
}

static mo_val end_value(mo_low *lo, const mo_env *env, mo_at at)
{
  if (env->end < 0) {
    brink__lo_error(lo, at, "'end' has a meaning only in a subscript");
    return brink__lo_bad();
  }
  return brink__lo_scalar(lo, MO_V_INTEGER, brink__integer(lo->g, env->end));
}

static mo_val indexed(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  mo_val a = brink__lo_expr(lo, env, e->args.v[0]);
  mo_list subs = {e->args.v + 1, e->args.n - 1};

  return brink__lo_subscript(lo, env, e->at, &a, &subs);
}

/* ------------------------------------------------------------------ face ---- */

static mo_val misplaced(mo_low *lo, mo_at at, const char *what)
{
  brink__lo_error(lo, at, "%s has no meaning here", what);
  return brink__lo_bad();
}

mo_val brink__lo_expr(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  brink__graph_at(lo->g, e->at.line);
  lo->here = e->at;
  switch (e->kind) {
  case MO_REAL: return number(lo, e);
  case MO_INTEGER: return whole(lo, e);
  case MO_BOOLEAN:
    return brink__lo_scalar(lo, MO_V_BOOLEAN, brink__boolean(lo->g, e->boolean));
  case MO_STRING: return text(lo, e->string);
  case MO_REF: return brink__lo_ref(lo, env, &e->ref, e->at);
  case MO_CALL: return brink__lo_call(lo, env, e);
  case MO_PARTIAL: return brink__lo_bad(); /* refused by refuse.c */
  case MO_UNARY: return unary(lo, env, e);
  case MO_SUM:
  case MO_PRODUCT: return arithmetic(lo, env, e);
  case MO_POWER: return power(lo, env, e);
  case MO_RELATION: return relation(lo, env, e);
  case MO_AND: return logic(lo, env, e, BRINK_OP_AND);
  case MO_OR: return logic(lo, env, e, BRINK_OP_OR);
  case MO_IF: return choice(lo, env, e);
  case MO_RANGE: return range(lo, env, e);
  case MO_ARRAY: return array(lo, env, e);
  case MO_MATRIX: return matrix(lo, env, e);
  case MO_TUPLE:
    if (e->args.n == 1 && e->args.v[0])
      return brink__lo_expr(lo, env, e->args.v[0]);
    return misplaced(lo, e->at, "a list in parentheses");
  case MO_INDEX: return indexed(lo, env, e);
  case MO_ALL: return misplaced(lo, e->at, "':'");
  case MO_END: return end_value(lo, env, e->at);
  case MO_ROW:
  case MO_FOR: return misplaced(lo, e->at, "'for'");
  }
  return brink__lo_bad();
}

brink__node brink__lo_expr_as(mo_low *lo, const mo_env *env, const mo_expr *e,
                              mo_base base, const char *what)
{
  mo_val v = brink__lo_expr(lo, env, e);

  v = brink__lo_coerce(lo, e->at, v, base, NULL, what);
  if (v.base == MO_V_BAD)
    return BRINK__NONE;
  if (v.nd) {
    brink__lo_error(lo, e->at, "%s must be a scalar, not %s", what,
                    brink__lo_type_text(lo, &v));
    return BRINK__NONE;
  }
  return v.one;
}

int brink__lo_int(mo_low *lo, const mo_env *env, const mo_expr *e, const char *what,
                  int64_t *out)
{
  mo_env inner = *env;
  double v;

  inner.flags |= MO_STRUCTURAL;
  brink__node n = brink__lo_expr_as(lo, &inner, e, MO_V_INTEGER, what);
  if (!n)
    return 0;
  if (!brink__lo_settled(lo, n, &v)) {
    brink__lo_error(lo, e->at, "%s must be known before the run", what);
    return 0;
  }
  *out = (int64_t)v;
  return 1;
}
