/* subscript.c -- elements and slices of arrays.
 *
 * A subscript is known before the run (structural).  An element whose Integer index
 * is a variable is read by a chain of `if`s over that dimension.
 */
#include "front/modelica/lower.h"

#include <string.h>

static int out_of_range(mo_low *lo, mo_at at, double k, int size)
{
  if (lo->probe) { /* the turn ends here, see exec.c */
    lo->probe = 2;
    return 0;
  }
  brink__lo_error(lo, at, "subscript %.0f is out of range: the size is %d", k, size);
  return 0;
}

/* positions of an array of subscripts, from 0 */
static int several(mo_low *lo, mo_at at, const mo_val *v, int size, mo_pick *out)
{
  out->nd = 1;
  out->n = v->dims[0];
  out->at = brink__lo_take(lo, ((size_t)out->n + 1) * sizeof *out->at);
  for (int i = 0; out->at && i < out->n; i++) {
    double k;
    if (!brink__lo_settled(lo, v->v[i], &k)) {
      brink__lo_error(lo, at, "the subscripts of a slice must be known before the run");
      return 0;
    }
    if (k < 1 || k > size)
      return out_of_range(lo, at, k, size);
    out->at[i] = (int)k - 1;
  }
  return out->at != NULL;
}

/* the value of a subscript that does not change: made of what is known before the run,
 * or the same whatever happens, as i - i */
static mo_val known(mo_low *lo, const mo_env *env, const mo_expr *sub, int size)
{
  mo_env structural = *env, plain = *env;
  double k;

  structural.end = plain.end = size;
  structural.flags |= MO_STRUCTURAL | MO_QUIET;
  size_t decided = lo->n_structural;
  mo_val v = brink__lo_expr(lo, &structural, sub);
  if (v.base == MO_V_BAD)
    brink__lo_undecide(lo, decided);
  if (v.base != MO_V_BAD || (env->flags & MO_QUIET))
    return v;
  int errors = lo->diag->n_errors;
  if (!(env->flags & MO_STRUCTURAL))
    v = brink__lo_expr(lo, &plain, sub);
  if (lo->diag->n_errors > errors || (v.nd == 0 && brink__lo_const(lo, v.one, &k)))
    return v;
  structural.flags = env->flags | MO_STRUCTURAL;
  return brink__lo_expr(lo, &structural, sub);
}

int brink__lo_pick(mo_low *lo, const mo_env *env, mo_at at, const mo_expr *sub,
                   int size, mo_pick *out)
{
  *out = (mo_pick){0};
  if (sub->kind == MO_ALL) {
    out->nd = 1;
    out->n = size;
    out->at = brink__lo_take(lo, ((size_t)size + 1) * sizeof *out->at);
    for (int i = 0; out->at && i < size; i++)
      out->at[i] = i;
    return out->at != NULL;
  }
  mo_val v = known(lo, env, sub, size);
  if (v.base == MO_V_BAD)
    return 0;
  double k;
  if (v.nd > 1 || v.base == MO_V_REAL || v.base == MO_V_STRING ||
      v.base == MO_V_RECORD) {
    brink__lo_error(lo, sub->at, "a subscript must be an Integer, not %s",
                    brink__lo_type_text(lo, &v));
    return 0;
  }
  if (v.base == MO_V_BOOLEAN && v.nd == 0 && brink__lo_settled(lo, v.one, &k)) {
    out->n = 1;
    out->one = k != 0; /* false is the first */
    return out->one < size || out_of_range(lo, sub->at, 2, size);
  }
  if (v.base == MO_V_BOOLEAN) {
    brink__lo_error(lo, sub->at, "Boolean subscripts must be scalars that are known");
    return 0;
  }
  if (v.nd == 1)
    return several(lo, sub->at, &v, size, out);
  if (!brink__lo_settled(lo, v.one, &k)) {
    brink__lo_error(lo, at, "this subscript must be known before the run");
    return 0;
  }
  if (k < 1 || k > size)
    return out_of_range(lo, sub->at, k, size);
  out->n = 1;
  out->one = (int)k - 1;
  return 1;
}

mo_val brink__lo_element(mo_low *lo, const mo_val *v, const int *index, int n)
{
  size_t offset = 0;
  mo_val r = *v;

  if (n == 0)
    return r;
  for (int i = 0; i < n; i++)
    offset = offset * (size_t)v->dims[i] + (size_t)index[i];
  r.nd = v->nd - n;
  for (int i = 0; i < r.nd; i++)
    r.dims[i] = v->dims[i + n];
  if (v->base == MO_V_STRING) {
    r.fields = v->fields + offset * brink__lo_count(&r);
    return r.nd ? r : r.fields[0];
  }
  if (v->base == MO_V_RECORD) {
    r.fields = brink__lo_take(lo, ((size_t)v->n_fields + 1) * sizeof *r.fields);
    for (int f = 0; r.fields && f < v->n_fields; f++)
      r.fields[f] = brink__lo_element(lo, &v->fields[f], index, n);
    return r.fields ? r : brink__lo_bad();
  }
  if (r.nd == 0) {
    r.one = v->v[offset];
    r.v = NULL;
  } else
    r.v = v->v + offset * brink__lo_count(&r);
  return r;
}

/* if i == 1 then v[1] else if i == 2 ...: the last one stands for the rest, which
 * watch() excludes.  Subscript `m` of the list is the moving one. */
static mo_val chosen(mo_low *lo, const mo_env *env, mo_at at, const mo_val *v,
                     const mo_list *subs, int m, brink__node index)
{
  mo_val r = brink__lo_bad();
  mo_list list = {brink__lo_take(lo, (size_t)subs->n * sizeof *list.v), subs->n};
  mo_expr one = {.kind = MO_INTEGER, .at = at};

  if (!list.v)
    return r;
  memcpy(list.v, subs->v, (size_t)subs->n * sizeof *list.v);
  list.v[m] = &one;
  brink__lo_watch_subscript(lo, at, index, v->dims[m]);
  for (int i = v->dims[m]; i >= 1; i--) {
    one.integer = i;
    mo_val e = brink__lo_subscript(lo, env, at, v, &list);
    if (i == v->dims[m] || e.base == MO_V_BAD) {
      r = e;
      continue;
    }
    brink__node is = brink__lo_apply(lo, at, BRINK_OP_EQ, index,
                                     brink__integer(lo->g, i), BRINK__NONE);
    r = brink__lo_select(lo, at, is, &e, &r);
  }
  return r;
}

mo_val brink__lo_subscript(mo_low *lo, const mo_env *env, mo_at at, const mo_val *v,
                           const mo_list *subs)
{
  mo_pick pick[MO_MAX_DIMS];
  mo_val r = *v;
  brink__node index;
  int dims[MO_MAX_DIMS], nd = 0;

  if (v->base == MO_V_BAD || subs->n == 0)
    return *v;
  if (subs->n > v->nd) {
    brink__lo_error(lo, at, "%d subscripts for an array of %d dimension%s", subs->n,
                    v->nd, v->nd == 1 ? "" : "s");
    return brink__lo_bad();
  }
  for (int i = 0; i < subs->n; i++) {
    index = brink__lo_moving_index(lo, env, subs->v[i], v->dims[i]);
    if (index && v->dims[i] > 0)
      return chosen(lo, env, at, v, subs, i, index);
  }
  int simple = 1, where[MO_MAX_DIMS];
  for (int i = 0; i < subs->n; i++) {
    if (!brink__lo_pick(lo, env, at, subs->v[i], v->dims[i], &pick[i]))
      return brink__lo_bad();
    simple = simple && pick[i].nd == 0;
    where[i] = pick[i].one;
    if (pick[i].nd)
      dims[nd++] = pick[i].n;
  }
  if (simple)
    return brink__lo_element(lo, v, where, subs->n);
  if (brink__lo_is_compound(v))
    return brink__lo_compound_slice(lo, env, at, v, subs);
  for (int i = subs->n; i < v->nd; i++)
    dims[nd++] = v->dims[i];
  r = brink__lo_array(lo, v->base, nd, dims);
  r.cls = v->cls;

  /* count through all picks like an odometer */
  size_t tail = 1, n = r.base == MO_V_BAD ? 0 : brink__lo_count(&r);
  int turn[MO_MAX_DIMS] = {0};
  for (int i = subs->n; i < v->nd; i++)
    tail *= (size_t)v->dims[i];
  for (size_t k = 0; tail && k < n; k += tail) {
    size_t offset = 0;
    for (int i = 0; i < subs->n; i++)
      offset = offset * (size_t)v->dims[i] +
               (size_t)(pick[i].nd ? pick[i].at[turn[i]] : pick[i].one);
    memcpy(r.v + k, v->v + offset * tail, tail * sizeof *r.v);
    for (int i = subs->n - 1; i >= 0 && ++turn[i] == pick[i].n; i--)
      turn[i] = 0;
  }
  return r;
}
