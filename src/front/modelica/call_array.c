/* call_array.c -- built-in functions that make, measure and fold arrays
 * [Modelica36, 10.3].
 */
#include "front/modelica/calls.h"

#include <string.h>

/* shape of the argument, even where its value is not known */
static mo_val shape_of(const call *c)
{
  const mo_expr *e = brink__call_argument(c, 0);

  if (e->kind == MO_REF && e->ref.n == 1 && e->ref.parts[0].subs.n == 0) {
    mo_found f = brink__lo_find_name(c->lo, c->env->scope, e->ref.parts[0].name, e->at);
    if (f.kind == MO_F_LOCAL)
      return *f.local->value;
    if (f.kind == MO_F_INST) {
      mo_val v = {.base = MO_V_INTEGER};
      if (!brink__lo_ready(c->lo, f.inst))
        return brink__lo_bad();
      v.nd = f.inst->nd;
      for (int i = 0; i < v.nd; i++)
        v.dims[i] = f.inst->dims[i];
      return v;
    }
  }
  if (c->env->flags & MO_STRUCTURAL) {
    mo_env quiet = *c->env;
    int errors = c->lo->diag->n_errors;
    quiet.flags |= MO_QUIET;
    mo_val v = brink__lo_expr(c->lo, &quiet, e), sizes = {.base = MO_V_INTEGER};
    if (v.base != MO_V_BAD)
      return v;
    if (c->lo->diag->n_errors == errors &&
        brink__lo_shape(c->lo, c->env, e, &sizes.nd, sizes.dims))
      return sizes;
  }
  return brink__lo_expr(c->lo, c->env, e);
}

static mo_val integer_value(const call *c, int64_t v)
{
  return brink__lo_scalar(c->lo, MO_V_INTEGER, brink__integer(c->lo->g, v));
}

mo_val brink__call_size(call *c)
{
  mo_val a = shape_of(c);
  int64_t i;

  if (a.base == MO_V_BAD)
    return a;
  if (c->c->n == 1) {
    int dims[1] = {a.nd};
    mo_val r = brink__lo_array(c->lo, MO_V_INTEGER, 1, dims);
    for (int d = 0; r.base != MO_V_BAD && d < a.nd; d++)
      r.v[d] = brink__integer(c->lo->g, a.dims[d]);
    return r;
  }
  if (!brink__lo_int(c->lo, c->env, brink__call_argument(c, 1),
                     "the dimension in 'size'", &i))
    return brink__lo_bad();
  if (i < 1 || i > a.nd) {
    brink__lo_error(c->lo, c->e->at, "there is no dimension %lld: the array has %d",
                    (long long)i, a.nd);
    return brink__lo_bad();
  }
  return integer_value(c, a.dims[i - 1]);
}

mo_val brink__call_ndims(call *c)
{
  mo_val a = shape_of(c);

  return a.base == MO_V_BAD ? a : integer_value(c, a.nd);
}

static mo_val fold(call *c, brink__op o, int64_t start)
{
  mo_val a = brink__call_elements_of(c);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  size_t n = brink__lo_count(&a);
  if (n == 0)
    return integer_value(c, start);
  brink__node r = brink__lo_at(&a, 0);
  for (size_t k = 1; r && k < n; k++)
    r = brink__call_op(c, o, r, brink__lo_at(&a, k));
  return brink__call_result(a.base, r);
}

mo_val brink__call_sum(call *c) { return fold(c, BRINK_OP_ADD, 0); }
mo_val brink__call_product(call *c) { return fold(c, BRINK_OP_MUL, 1); }

/* sizes from argument `first` on; 0: bad */
static int sizes(const call *c, int first, int *nd, int *dims)
{
  *nd = 0;
  for (int i = first; i < c->c->n; i++) {
    int64_t n;
    if (*nd == MO_MAX_DIMS || !brink__lo_int(c->lo, c->env, brink__call_argument(c, i),
                                             "the size of an array", &n))
      return 0;
    if (n < 0 || n > MO_MAX_ELEMENTS) {
      brink__lo_error(c->lo, c->e->at,
                      "the size of an array is %lld; it must lie between 0 "
                      "and %d",
                      (long long)n, MO_MAX_ELEMENTS);
      return 0;
    }
    dims[(*nd)++] = (int)n;
  }
  return 1;
}

/* an array of one record or String */
static mo_val filled_compound(const call *c, const mo_val *with, int nd,
                              const int *dims)
{
  size_t n = 1;

  for (int i = 0; i < nd; i++)
    if ((n *= (size_t)dims[i]) > MO_MAX_ELEMENTS)
      break;
  if (n == 0 || n > MO_MAX_ELEMENTS) {
    brink__lo_error(c->lo, c->e->at, "'%s' makes %s of %s", c->name,
                    n ? "too many elements" : "an array without elements",
                    brink__lo_type_text(c->lo, with));
    return brink__lo_bad();
  }
  mo_val *v = brink__lo_take(c->lo, n * sizeof *v);
  for (size_t k = 0; v && k < n; k++)
    v[k] = *with;
  return v ? brink__lo_gather(c->lo, c->e->at, v, n, nd, dims) : brink__lo_bad();
}

static mo_val filled(const call *c, const mo_val *with, int first)
{
  int nd, dims[MO_MAX_DIMS];

  if (with->base == MO_V_BAD || !sizes(c, first, &nd, dims))
    return brink__lo_bad();
  if (!with->nd && nd > 0 && brink__lo_is_compound(with))
    return filled_compound(c, with, nd, dims);
  if (with->nd || brink__lo_is_compound(with)) {
    brink__lo_error(c->lo, c->e->at, "'%s' fills with a scalar, not %s", c->name,
                    brink__lo_type_text(c->lo, with));
    return brink__lo_bad();
  }
  mo_val r = brink__lo_array(c->lo, with->base, nd, dims);
  r.cls = with->cls;
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++)
    r.v[k] = with->one;
  return r;
}

mo_val brink__call_zeros(call *c)
{
  mo_val v = integer_value(c, 0);
  return filled(c, &v, 0);
}

mo_val brink__call_ones(call *c)
{
  mo_val v = integer_value(c, 1);
  return filled(c, &v, 0);
}

mo_val brink__call_fill(call *c)
{
  mo_val v = brink__call_value(c, 0);
  return filled(c, &v, 1);
}

static mo_val diagonal(const call *c, const mo_val *v, int n)
{
  int dims[2] = {n, n};
  mo_val r = brink__lo_array(c->lo, v ? v->base : MO_V_INTEGER, 2, dims);

  for (int i = 0; r.base != MO_V_BAD && i < n; i++)
    for (int j = 0; j < n; j++)
      r.v[i * n + j] = i != j ? brink__integer(c->lo->g, 0)
                       : v    ? v->v[i]
                              : brink__integer(c->lo->g, 1);
  for (int i = 0; r.base == MO_V_REAL && i < n * n; i++)
    r.v[i] = brink__call_op(c, BRINK_OP_REAL, r.v[i], 0);
  return r;
}

mo_val brink__call_identity(call *c)
{
  int nd, dims[MO_MAX_DIMS];

  return sizes(c, 0, &nd, dims) ? diagonal(c, NULL, dims[0]) : brink__lo_bad();
}

mo_val brink__call_diagonal(call *c)
{
  mo_val v = brink__call_value(c, 0);

  if (!brink__call_is_number(&v) || v.nd != 1)
    return brink__call_not_number(c, &v);
  return diagonal(c, &v, v.dims[0]);
}

mo_val brink__call_linspace(call *c)
{
  brink__node from = brink__call_scalar(c, 0, MO_V_REAL),
              to = brink__call_scalar(c, 1, MO_V_REAL);
  int64_t n;

  if (!from || !to ||
      !brink__lo_int(c->lo, c->env, brink__call_argument(c, 2), "the number of points",
                     &n))
    return brink__lo_bad();
  if (n < 2 || n > MO_MAX_ELEMENTS) {
    brink__lo_error(c->lo, c->e->at, "'linspace' needs at least 2 points");
    return brink__lo_bad();
  }
  int dims[1] = {(int)n};
  mo_val r = brink__lo_array(c->lo, MO_V_REAL, 1, dims);
  for (int i = 0; r.base != MO_V_BAD && i < dims[0]; i++) {
    brink__node k = brink__call_op(c, BRINK_OP_DIV, brink__integer(c->lo->g, i),
                                   brink__integer(c->lo->g, n - 1));
    r.v[i] = brink__call_op(
        c, BRINK_OP_ADD, from,
        brink__call_op(c, BRINK_OP_MUL, brink__call_op(c, BRINK_OP_SUB, to, from), k));
  }
  return r;
}

mo_val brink__call_transpose(call *c)
{
  mo_val a = brink__call_value(c, 0);

  if (a.base == MO_V_BAD)
    return a;
  if (a.nd != 2) {
    brink__lo_error(c->lo, c->e->at, "'transpose' needs a matrix, not %s",
                    brink__lo_type_text(c->lo, &a));
    return brink__lo_bad();
  }
  int dims[2] = {a.dims[1], a.dims[0]};
  mo_pos *from = brink__lo_take(c->lo, (brink__lo_count(&a) + 1) * sizeof *from);
  for (int i = 0; from && i < dims[0]; i++)
    for (int j = 0; j < dims[1]; j++)
      from[i * dims[1] + j] = (mo_pos){0, (size_t)(j * dims[0] + i)};
  return from ? brink__lo_rearrange(c->lo, c->e->at, &a, from, 2, dims)
              : brink__lo_bad();
}

mo_val brink__call_cross(call *c)
{
  mo_val a = brink__call_value(c, 0), b = brink__call_value(c, 1);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  if (!brink__call_is_number(&b))
    return brink__call_not_number(c, &b);
  if (a.nd != 1 || b.nd != 1 || a.dims[0] != 3 || b.dims[0] != 3) {
    brink__lo_error(c->lo, c->e->at, "'cross' needs two vectors of size 3");
    return brink__lo_bad();
  }
  int dims[1] = {3};
  mo_val r = brink__lo_array(
      c->lo, a.base == MO_V_INTEGER && b.base == MO_V_INTEGER ? a.base : MO_V_REAL, 1,
      dims);
  for (int i = 0; r.base != MO_V_BAD && i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r.v[i] =
        brink__call_op(c, BRINK_OP_SUB, brink__call_op(c, BRINK_OP_MUL, a.v[j], b.v[k]),
                       brink__call_op(c, BRINK_OP_MUL, a.v[k], b.v[j]));
  }
  return r;
}

/* the same elements, in other dimensions */
static mo_val reshaped(const call *c, const mo_val *a, int nd, const int *dims)
{
  size_t n = brink__lo_count(a);
  mo_pos *from = brink__lo_take(c->lo, (n + 1) * sizeof *from);

  for (size_t k = 0; from && k < n; k++)
    from[k] = (mo_pos){0, k};
  return from ? brink__lo_rearrange(c->lo, c->e->at, a, from, nd, dims)
              : brink__lo_bad();
}

mo_val brink__call_vector(call *c)
{
  mo_val a = brink__call_value(c, 0);

  if (a.base == MO_V_BAD)
    return a;
  int dims[1] = {(int)brink__lo_count(&a)}, wide = 0;
  for (int i = 0; i < a.nd; i++)
    wide += a.dims[i] > 1;
  if (wide > 1) {
    brink__lo_error(c->lo, c->e->at, "'vector' needs an array with one long dimension");
    return brink__lo_bad();
  }
  return reshaped(c, &a, 1, dims);
}

mo_val brink__call_to_scalar(call *c)
{
  mo_val a = brink__call_value(c, 0);

  if (a.base == MO_V_BAD)
    return a;
  if (brink__lo_count(&a) != 1) {
    brink__lo_error(c->lo, c->e->at, "'scalar' needs an array of one element");
    return brink__lo_bad();
  }
  return reshaped(c, &a, 0, a.dims);
}

/* the arguments of cat, of one type; 0: bad */
static int parts_of(const call *c, int n, mo_val *v)
{
  mo_val all = {.base = MO_V_INTEGER};

  for (int i = 0; i < n; i++) {
    v[i] = brink__call_value(c, i + 1);
    if (v[i].base == MO_V_BAD)
      return 0;
    if (i == 0 || v[i].base == MO_V_REAL)
      all = v[i];
  }
  for (int i = 0; i < n; i++) {
    v[i] = brink__lo_coerce(c->lo, c->e->at, v[i], all.base, all.cls,
                            brink__lo_format(c->lo, "argument %d of 'cat'", i + 2));
    if (v[i].base == MO_V_BAD)
      return 0;
  }
  return 1;
}

mo_val brink__call_cat(call *c)
{
  int64_t along;
  int n = c->c->n - 1, dims[MO_MAX_DIMS], total = 0;
  mo_val *v = brink__lo_take(c->lo, ((size_t)n + 1) * sizeof *v);

  if (!v ||
      !brink__lo_int(c->lo, c->env, brink__call_argument(c, 0),
                     "the dimension in 'cat'", &along) ||
      !parts_of(c, n, v))
    return brink__lo_bad();
  for (int i = 0; i < n; i++) {
    int fits = along >= 1 && along <= v[i].nd && v[i].nd == v[0].nd;
    for (int d = 0; fits && d < v[i].nd; d++)
      fits = d == along - 1 || v[i].dims[d] == v[0].dims[d];
    if (!fits) {
      brink__lo_error(c->lo, c->e->at, "the arguments of 'cat' do not fit together");
      return brink__lo_bad();
    }
    total += v[i].dims[along - 1];
  }
  memcpy(dims, v[0].dims, sizeof dims);
  dims[along - 1] = total;
  size_t outer = 1, inner = 1, k = 0;
  for (int d = 0; d < v[0].nd; d++) {
    if (d < along - 1)
      outer *= (size_t)dims[d];
    if (d > along - 1)
      inner *= (size_t)dims[d];
  }
  mo_pos *from =
      brink__lo_take(c->lo, (outer * (size_t)total * inner + 1) * sizeof *from);
  for (size_t o = 0; from && o < outer; o++)
    for (int i = 0; i < n; i++) {
      size_t len = (size_t)v[i].dims[along - 1] * inner;
      for (size_t j = 0; j < len; j++)
        from[k++] = (mo_pos){i, o * len + j};
    }
  return from ? brink__lo_rearrange(c->lo, c->e->at, v, from, v[0].nd, dims)
              : brink__lo_bad();
}

/* -------------------------------------------------------------- matrices ---- */

/* array(a, b, ...) is {a, b, ...} */
mo_val brink__call_array(call *c)
{
  mo_expr list = *c->e;
  mo_expr **v = brink__lo_take(c->lo, (size_t)c->c->n * sizeof *v);

  if (!v)
    return brink__lo_bad();
  for (int i = 0; i < c->c->n; i++)
    v[i] = c->c->args[i].value;
  list.kind = MO_ARRAY;
  list.args.v = v;
  list.args.n = c->c->n;
  return brink__lo_expr(c->lo, c->env, &list);
}

/* with two dimensions: further ones must be 1 long, missing ones are */
mo_val brink__call_matrix(call *c)
{
  mo_val a = brink__call_value(c, 0);
  int dims[2] = {1, 1};

  if (a.base == MO_V_BAD)
    return a;
  for (int i = 0; i < a.nd; i++) {
    if (i < 2)
      dims[i] = a.dims[i];
    else if (a.dims[i] != 1) {
      brink__lo_error(c->lo, c->e->at,
                      "'matrix' needs an array whose third and further dimensions are "
                      "1, not %s",
                      brink__lo_type_text(c->lo, &a));
      return brink__lo_bad();
    }
  }
  return reshaped(c, &a, 2, dims);
}

/* what is above the diagonal, below it too */
mo_val brink__call_symmetric(call *c)
{
  mo_val a = brink__call_value(c, 0);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  if (a.nd != 2 || a.dims[0] != a.dims[1]) {
    brink__lo_error(c->lo, c->e->at, "'symmetric' needs a square matrix, not %s",
                    brink__lo_type_text(c->lo, &a));
    return brink__lo_bad();
  }
  int n = a.dims[0];
  mo_val r = brink__lo_array(c->lo, a.base, 2, a.dims);
  for (int i = 0; r.base != MO_V_BAD && i < n; i++)
    for (int j = 0; j < n; j++)
      r.v[i * n + j] = i <= j ? a.v[i * n + j] : a.v[j * n + i];
  return r;
}

mo_val brink__call_outer_product(call *c)
{
  mo_val a = brink__call_value(c, 0), b = brink__call_value(c, 1);

  if (!brink__call_is_number(&a))
    return brink__call_not_number(c, &a);
  if (!brink__call_is_number(&b))
    return brink__call_not_number(c, &b);
  if (a.nd != 1 || b.nd != 1) {
    brink__lo_error(c->lo, c->e->at, "'outerProduct' needs two vectors");
    return brink__lo_bad();
  }
  int dims[2] = {a.dims[0], b.dims[0]};
  mo_val r = brink__lo_array(
      c->lo, a.base == MO_V_INTEGER && b.base == MO_V_INTEGER ? a.base : MO_V_REAL, 2,
      dims);
  for (int i = 0; r.base != MO_V_BAD && i < dims[0]; i++)
    for (int j = 0; j < dims[1]; j++)
      r.v[i * dims[1] + j] = brink__call_op(c, BRINK_OP_MUL, a.v[i], b.v[j]);
  return r;
}

/* the matrix whose product with y is cross(x, y) */
mo_val brink__call_skew(call *c)
{
  static const int place[9] = {0, -3, 2, 3, 0, -1, -2, 1, 0};
  mo_val x = brink__call_value(c, 0);
  int dims[2] = {3, 3};

  if (!brink__call_is_number(&x))
    return brink__call_not_number(c, &x);
  if (x.nd != 1 || x.dims[0] != 3) {
    brink__lo_error(c->lo, c->e->at, "'skew' needs a vector of size 3, not %s",
                    brink__lo_type_text(c->lo, &x));
    return brink__lo_bad();
  }
  mo_val r = brink__lo_array(c->lo, x.base, 2, dims);
  brink__node zero =
      x.base == MO_V_INTEGER ? brink__integer(c->lo->g, 0) : brink__real(c->lo->g, 0);
  for (int k = 0; r.base != MO_V_BAD && k < 9; k++)
    r.v[k] = place[k] > 0   ? x.v[place[k] - 1]
             : place[k] < 0 ? brink__call_op(c, BRINK_OP_NEG, x.v[-place[k] - 1], 0)
                            : zero;
  return r;
}
