/* typed_value.c -- typed values of expressions: scalars and arrays of graph nodes.
 *
 * Arrays are stored row by row.  Operators follow [Modelica36, 10.6]: + and - need
 * equal shapes, * is the product of linear algebra, the dotted ones go element by
 * element and let a scalar stand for an array.
 */
#include "front/modelica/lower.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "front/modelica/parse.h"

/* ---------------------------------------------------------------- basics ---- */

mo_val brink__lo_bad(void) { return (mo_val){.base = MO_V_BAD}; }

mo_val brink__lo_scalar(mo_low *lo, mo_base base, brink__node n)
{
  if (!n && brink__diag_status(lo->diag, NULL) == BRINK_OK)
    brink__diag_nomem(lo->diag); /* nothing else makes a node fail unreported */
  return n ? (mo_val){.base = base, .one = n} : brink__lo_bad();
}

size_t brink__lo_count(const mo_val *v)
{
  size_t n = 1;

  for (int i = 0; i < v->nd; i++)
    n *= (size_t)v->dims[i];
  return n;
}

brink__node brink__lo_at(const mo_val *v, size_t k) { return v->nd ? v->v[k] : v->one; }

int brink__lo_put(mo_val *v, size_t k, brink__node n)
{
  if (v->nd)
    v->v[k] = n;
  else
    v->one = n;
  return n != BRINK__NONE;
}

mo_val brink__lo_array(mo_low *lo, mo_base base, int nd, const int *dims)
{
  mo_val v = {.base = base, .nd = nd};
  double total = 1;

  for (int i = 0; i < nd; i++) {
    v.dims[i] = dims[i];
    total *= dims[i];
  }
  if (total > MO_MAX_ELEMENTS) {
    brink__lo_hopeless(lo, lo->here, "an array would have more than %d elements",
                       MO_MAX_ELEMENTS);
    return brink__lo_bad();
  }
  v.v = brink__lo_take(lo, (brink__lo_count(&v) + 1) * sizeof *v.v);
  return v.v ? v : brink__lo_bad();
}

mo_val brink__lo_string(const char *text)
{
  return (mo_val){.base = MO_V_STRING, .text = text};
}

mo_val brink__lo_copy(mo_low *lo, const mo_val *v)
{
  if (brink__lo_is_compound(v))
    return brink__lo_compound_copy(lo, v);
  if (v->nd == 0)
    return *v;
  mo_val c = brink__lo_array(lo, v->base, v->nd, v->dims);
  if (c.base != MO_V_BAD) {
    c.cls = v->cls;
    memcpy(c.v, v->v, brink__lo_count(v) * sizeof *c.v);
  }
  return c;
}

int brink__lo_same_shape(const mo_val *a, const mo_val *b)
{
  if (a->nd != b->nd)
    return 0;
  for (int i = 0; i < a->nd; i++)
    if (a->dims[i] != b->dims[i])
      return 0;
  return 1;
}

brink__type brink__lo_type_of(mo_base base)
{
  switch (base) {
  case MO_V_INTEGER: return BRINK_TYPE_INTEGER;
  case MO_V_BOOLEAN: return BRINK_TYPE_BOOLEAN;
  case MO_V_ENUM: return BRINK_TYPE_ENUMERATION;
  case MO_V_BAD:
  case MO_V_REAL:
  case MO_V_STRING:
  case MO_V_RECORD:
  case MO_V_CLASS: return BRINK_TYPE_REAL;
  }
  return BRINK_TYPE_REAL;
}

const char *brink__lo_base_text(mo_low *lo, mo_base base, const mo_class *cls)
{
  switch (base) {
  case MO_V_REAL: return "a Real";
  case MO_V_INTEGER: return "an Integer";
  case MO_V_BOOLEAN: return "a Boolean";
  case MO_V_STRING: return "a String";
  case MO_V_ENUM: return brink__lo_format(lo, "an enumeration '%s'", cls->name->bare);
  case MO_V_RECORD: return brink__lo_format(lo, "a record '%s'", cls->name->bare);
  case MO_V_CLASS: return "a component";
  case MO_V_BAD: return "nothing";
  }
  return "";
}

const char *brink__lo_type_text(mo_low *lo, const mo_val *v)
{
  const char *base = brink__lo_base_text(lo, v->base, v->cls);
  char dims[100];
  size_t n = 0;

  if (v->nd == 0)
    return base;
  for (int i = 0; i < v->nd; i++)
    n += (size_t)snprintf(dims + n, sizeof dims - n, "%s%d", i ? "," : "[", v->dims[i]);
  return brink__lo_format(lo, "%s array of size %s]", base, dims);
}

/* ------------------------------------------------------------- operators ---- */

static int is_constant(const mo_low *lo, brink__node n)
{
  return n && brink__node_op(lo->g, n) == BRINK_OP_CONST;
}

static void no_value(mo_low *lo, mo_at at, brink__op op, brink__node result)
{
  if (op == BRINK_OP_DIV || op == BRINK_OP_QUOT || op == BRINK_OP_MOD ||
      op == BRINK_OP_REM)
    brink__lo_error(lo, at, "division by zero");
  else if (brink__node_type(lo->g, result) == BRINK_TYPE_INTEGER)
    brink__lo_error(lo, at, "Integer overflow: the result of '%s' does not fit",
                    brink__op_text(op));
  else
    brink__lo_error(lo, at, "'%s' has no value for these constants",
                    brink__op_text(op));
}

brink__node brink__lo_apply(mo_low *lo, mo_at at, brink__op op, brink__node a,
                            brink__node b, brink__node c)
{
  int arity = brink__op_arity(op);

  if (!a || (arity > 1 && !b) || (arity > 2 && !c))
    return BRINK__NONE;
  if (++lo->operations > MO_MAX_OPERATIONS) {
    brink__lo_hopeless(lo, at, "reading this model needs more than %d operations",
                       MO_MAX_OPERATIONS);
    return BRINK__NONE;
  }
  brink__node n = brink__apply(lo->g, op, a, b, c);
  if (!n) {
    brink__diag_nomem(lo->diag);
    return n;
  }
  if (is_constant(lo, a) && (arity < 2 || is_constant(lo, b)) && arity < 3 &&
      !is_constant(lo, n)) {
    no_value(lo, at, op, n);
    return BRINK__NONE;
  }
  return n;
}

static int is_number(const mo_val *v)
{
  return v->base == MO_V_REAL || v->base == MO_V_INTEGER;
}

static mo_base joined(const mo_val *a, const mo_val *b)
{
  return a->base == MO_V_INTEGER && b->base == MO_V_INTEGER ? MO_V_INTEGER : MO_V_REAL;
}

/* element by element; a scalar stands for as many as the other has */
mo_val brink__lo_map(mo_low *lo, mo_at at, brink__op op, mo_base base, const mo_val *a,
                     const mo_val *b)
{
  const mo_val *shape = b && b->nd > a->nd ? b : a;

  if (shape->nd == 0) {
    brink__node n = brink__lo_apply(lo, at, op, a->one, b ? b->one : BRINK__NONE, 0);
    return n ? (mo_val){.base = base, .one = n} : brink__lo_bad();
  }
  if (b && a->nd && b->nd && !brink__lo_same_shape(a, b)) {
    brink__lo_error(lo, at, "'%s' needs arrays of equal sizes, not %s and %s",
                    brink__op_text(op), brink__lo_type_text(lo, a),
                    brink__lo_type_text(lo, b));
    return brink__lo_bad();
  }
  mo_val r = brink__lo_array(lo, base, shape->nd, shape->dims);
  if (r.base == MO_V_BAD)
    return r;
  for (size_t k = 0; k < brink__lo_count(&r); k++) {
    r.v[k] = brink__lo_apply(lo, at, op, a->nd ? a->v[k] : a->one,
                             b ? (b->nd ? b->v[k] : b->one) : BRINK__NONE, 0);
    if (!r.v[k])
      return brink__lo_bad();
  }
  return r;
}

mo_val brink__lo_negate(mo_low *lo, mo_at at, const mo_val *a)
{
  if (a->base == MO_V_BAD)
    return *a;
  if (!is_number(a)) {
    brink__lo_error(lo, at, "'-' needs a number, not %s", brink__lo_type_text(lo, a));
    return brink__lo_bad();
  }
  return brink__lo_map(lo, at, BRINK_OP_NEG, a->base, a, NULL);
}

/* -------------------------------------------------------- linear algebra ---- */

static brink__node dot(mo_low *lo, mo_at at, const brink__node *a, int step_a,
                       const brink__node *b, int step_b, int n, mo_base base)
{
  if (n == 0)
    return base == MO_V_INTEGER ? brink__integer(lo->g, 0) : brink__real(lo->g, 0);
  brink__node sum = brink__lo_apply(lo, at, BRINK_OP_MUL, a[0], b[0], 0);
  for (int i = 1; sum && i < n; i++)
    sum = brink__lo_apply(
        lo, at, BRINK_OP_ADD, sum,
        brink__lo_apply(lo, at, BRINK_OP_MUL, a[i * step_a], b[i * step_b], 0), 0);
  return sum;
}

/* rows x inner times inner x columns; vectors are a row or a column */
static mo_val product(mo_low *lo, mo_at at, const mo_val *a, const mo_val *b)
{
  int inner = a->dims[a->nd - 1];

  if (a->nd > 2 || b->nd > 2 || inner != b->dims[0]) {
    brink__lo_error(lo, at, "'*' cannot multiply %s by %s", brink__lo_type_text(lo, a),
                    brink__lo_type_text(lo, b));
    return brink__lo_bad();
  }
  int rows = a->nd == 2 ? a->dims[0] : 1, cols = b->nd == 2 ? b->dims[1] : 1, nd = 0;
  int dims[2];
  mo_base base = joined(a, b);
  if (a->nd == 2)
    dims[nd++] = rows;
  if (b->nd == 2)
    dims[nd++] = cols;
  mo_val r = {.base = base};
  if (nd)
    r = brink__lo_array(lo, base, nd, dims);
  for (int i = 0; r.base != MO_V_BAD && i < rows; i++)
    for (int j = 0; j < cols; j++) {
      brink__node n =
          dot(lo, at, a->v + (size_t)i * (size_t)inner, 1, b->v + j, cols, inner, base);
      if (!n)
        return brink__lo_bad();
      if (nd)
        r.v[(size_t)i * (size_t)cols + (size_t)j] = n;
      else
        r.one = n;
    }
  return r;
}

static mo_val identity(mo_low *lo, int n)
{
  int dims[2] = {n, n};
  mo_val r = brink__lo_array(lo, MO_V_INTEGER, 2, dims);

  for (int i = 0; r.base != MO_V_BAD && i < n * n; i++)
    r.v[i] = brink__integer(lo->g, i % (n + 1) == 0);
  return r;
}

static mo_val matrix_power(mo_low *lo, mo_at at, const mo_val *a, const mo_val *b)
{
  enum { LARGEST = 64 };
  double e = 0;

  if (a->nd != 2 || a->dims[0] != a->dims[1] || b->base != MO_V_INTEGER || b->nd ||
      !brink__lo_const(lo, b->one, &e) || e < 0 || e > LARGEST) {
    brink__lo_error(lo, at,
                    "'^' of an array needs a square matrix and a whole exponent "
                    "between 0 and %d; '.^' works element by element",
                    LARGEST);
    return brink__lo_bad();
  }
  mo_val r = identity(lo, a->dims[0]);
  for (int i = 0; r.base != MO_V_BAD && i < (int)e; i++)
    r = i == 0 ? *a : product(lo, at, &r, a);
  return r;
}

/* ------------------------------------------------------------ arithmetic ---- */

mo_val brink__lo_concatenate(mo_low *lo, const mo_val *a, const mo_val *b)
{
  mo_val r = {.base = MO_V_STRING, .n_parts = a->n_parts + b->n_parts};
  size_t n = strlen(a->text) + strlen(b->text) + 4 * (size_t)b->n_parts + 8;

  if (n > MO_MAX_TEXT) {
    brink__lo_hopeless(lo, lo->here, "a String has more than %d characters",
                       MO_MAX_TEXT);
    return brink__lo_bad();
  }
  char *text = brink__lo_take(lo, n), *to = text;
  r.parts = brink__lo_take(lo, ((size_t)r.n_parts + 1) * sizeof *r.parts);
  if (!text || !r.parts)
    return brink__lo_bad();
  if (a->n_parts)
    memcpy(r.parts, a->parts, (size_t)a->n_parts * sizeof *r.parts);
  if (b->n_parts)
    memcpy(r.parts + a->n_parts, b->parts, (size_t)b->n_parts * sizeof *r.parts);
  to += snprintf(to, n, "%s", a->text);
  for (const char *s = b->text; *s;) {
    if (*s == '%' && s[1] >= '0' && s[1] <= '9') { /* places move behind those of a */
      int k = 0;
      for (s++; *s >= '0' && *s <= '9'; s++)
        k = 10 * k + (*s - '0');
      to += snprintf(to, 5, "%%%d", (k + a->n_parts) % 1000);
    } else {
      if (*s == '%' && s[1])
        *to++ = *s++;
      *to++ = *s++;
    }
  }
  r.text = text;
  return r;
}

mo_val brink__lo_one_text(mo_low *lo, brink__node which, int first, const mo_val *v,
                          size_t n)
{
  mo_val r = brink__lo_string(brink__lo_format(lo, "%%0{%d?", first)),
         bar = brink__lo_string("|"), end = brink__lo_string("}");

  r.parts = brink__lo_take(lo, sizeof *r.parts);
  if (!r.parts)
    return brink__lo_bad();
  r.parts[0] = which;
  r.n_parts = 1;
  for (size_t k = 0; k < n && r.base != MO_V_BAD; k++) {
    if (k)
      r = brink__lo_concatenate(lo, &r, &bar);
    if (r.base != MO_V_BAD)
      r = brink__lo_concatenate(lo, &r, &v[k]);
  }
  return r.base == MO_V_BAD ? r : brink__lo_concatenate(lo, &r, &end);
}

static brink__op graph_op(mo_op op)
{
  switch (op) {
  case MO_OP_ADD:
  case MO_OP_DOT_ADD: return BRINK_OP_ADD;
  case MO_OP_SUB:
  case MO_OP_DOT_SUB: return BRINK_OP_SUB;
  case MO_OP_MUL:
  case MO_OP_DOT_MUL: return BRINK_OP_MUL;
  case MO_OP_DIV:
  case MO_OP_DOT_DIV: return BRINK_OP_DIV;
  case MO_OP_NONE:
  case MO_OP_POW:
  case MO_OP_DOT_POW:
  case MO_OP_LT:
  case MO_OP_LE:
  case MO_OP_GT:
  case MO_OP_GE:
  case MO_OP_EQ:
  case MO_OP_NE:
  case MO_OP_NOT:
  case MO_OP_AND:
  case MO_OP_OR: return BRINK_OP_POW;
  }
  return BRINK_OP_POW;
}

static mo_val mismatch(mo_low *lo, mo_at at, mo_op op, const mo_val *a, const mo_val *b)
{
  brink__lo_error(lo, at, "'%s' cannot join %s and %s", brink__mo_op_text(op),
                  brink__lo_type_text(lo, a), brink__lo_type_text(lo, b));
  return brink__lo_bad();
}

mo_val brink__lo_arith(mo_low *lo, mo_at at, mo_op op, const mo_val *a, const mo_val *b)
{
  if (a->base == MO_V_BAD || b->base == MO_V_BAD)
    return brink__lo_bad();
  if (op == MO_OP_ADD && a->base == MO_V_STRING && b->base == MO_V_STRING && !a->nd &&
      !b->nd)
    return brink__lo_concatenate(lo, a, b);
  if (!is_number(a) || !is_number(b))
    return mismatch(lo, at, op, a, b);
  if ((op == MO_OP_ADD || op == MO_OP_SUB) && !brink__lo_same_shape(a, b))
    return mismatch(lo, at, op, a, b);
  if (op == MO_OP_MUL && a->nd && b->nd)
    return product(lo, at, a, b);
  if (op == MO_OP_DIV && b->nd)
    return mismatch(lo, at, op, a, b);
  if (op == MO_OP_POW && (a->nd || b->nd))
    return matrix_power(lo, at, a, b);
  brink__op g = graph_op(op);
  mo_base base = g == BRINK_OP_DIV || g == BRINK_OP_POW ? MO_V_REAL : joined(a, b);
  return brink__lo_map(lo, at, g, base, a, b);
}

/* ------------------------------------------------------------ conversion ---- */

static mo_val select_record(mo_low *lo, mo_at at, brink__node cond, const mo_val *yes,
                            const mo_val *no)
{
  mo_val r = *yes;

  r.fields = brink__lo_take(lo, ((size_t)yes->n_fields + 1) * sizeof *r.fields);
  for (int i = 0; r.fields && i < yes->n_fields; i++) {
    r.fields[i] = brink__lo_select(lo, at, cond, &yes->fields[i], &no->fields[i]);
    if (r.fields[i].base == MO_V_BAD)
      return brink__lo_bad();
  }
  return r.fields ? r : brink__lo_bad();
}

mo_val brink__lo_select(mo_low *lo, mo_at at, brink__node cond, const mo_val *yes,
                        const mo_val *no)
{
  if (yes->base == MO_V_BAD || no->base == MO_V_BAD || !cond)
    return brink__lo_bad();
  int numbers = is_number(yes) && is_number(no);
  if ((!numbers && (yes->base != no->base || yes->cls != no->cls)) ||
      !brink__lo_same_shape(yes, no) || (yes->base == MO_V_STRING && yes->nd)) {
    brink__lo_error(lo, at, "the branches of this 'if' differ: %s and %s",
                    brink__lo_type_text(lo, yes), brink__lo_type_text(lo, no));
    return brink__lo_bad();
  }
  if (yes->base == MO_V_STRING)
    return brink__lo_one_text(lo, cond, 0, (mo_val[]){*no, *yes}, 2);
  if (yes->base == MO_V_RECORD)
    return select_record(lo, at, cond, yes, no);
  mo_val r = {.base = numbers ? joined(yes, no) : yes->base, .cls = yes->cls};
  if (yes->nd) {
    r = brink__lo_array(lo, r.base, yes->nd, yes->dims);
    r.cls = yes->cls;
  }
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++) {
    brink__node n = brink__lo_apply(lo, at, BRINK_OP_SELECT, cond, brink__lo_at(yes, k),
                                    brink__lo_at(no, k));
    if (!brink__lo_put(&r, k, n))
      return brink__lo_bad();
  }
  return r;
}

mo_val brink__lo_coerce(mo_low *lo, mo_at at, mo_val v, mo_base base,
                        const mo_class *cls, const char *what)
{
  if (v.base == MO_V_BAD || base == MO_V_BAD)
    return brink__lo_bad();
  if (v.base == base && (base != MO_V_ENUM || v.cls == cls))
    return v;
  if (v.base == MO_V_INTEGER && base == MO_V_REAL)
    return brink__lo_map(lo, at, BRINK_OP_REAL, MO_V_REAL, &v, NULL);
  brink__lo_error(lo, at, "%s is %s, but %s is expected", what,
                  brink__lo_base_text(lo, v.base, v.cls),
                  brink__lo_base_text(lo, base, cls));
  return brink__lo_bad();
}
