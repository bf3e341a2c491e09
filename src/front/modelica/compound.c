/* compound.c -- arrays of records and of Strings.
 *
 * An array of records is a record of arrays: every field has the dimensions of the
 * array in front of its own, so that r[i].a[k] is a[i, k] and r.a needs no work.  An
 * array of Strings keeps its elements, one value each, where a record keeps its
 * fields.
 */
#include "front/modelica/lower.h"

#include <string.h>

int brink__lo_is_compound(const mo_val *v)
{
  return v->base == MO_V_RECORD || v->base == MO_V_STRING;
}

static int put_dims(mo_low *lo, mo_at at, mo_val *r, int nd, const int *dims,
                    const mo_val *one)
{
  if (nd + one->nd > MO_MAX_DIMS) {
    brink__lo_error(lo, at, "arrays have at most %d dimensions", MO_MAX_DIMS);
    return 0;
  }
  r->nd = nd + one->nd;
  memcpy(r->dims, dims, (size_t)nd * sizeof *dims);
  memcpy(r->dims + nd, one->dims, (size_t)one->nd * sizeof *dims);
  return 1;
}

static mo_val gather_strings(mo_low *lo, const mo_val *v, size_t n, mo_val r)
{
  size_t each = brink__lo_count(&v[0]);

  r.fields = brink__lo_take(lo, (n * each + 1) * sizeof *r.fields);
  if (!r.fields)
    return brink__lo_bad();
  for (size_t k = 0; k < n; k++)
    for (size_t j = 0; j < each; j++)
      r.fields[k * each + j] = v[k].nd ? v[k].fields[j] : v[k];
  return r;
}

mo_val brink__lo_gather(mo_low *lo, mo_at at, const mo_val *v, size_t n, int nd,
                        const int *dims)
{
  if (!brink__lo_is_compound(&v[0])) {
    int all[2 * MO_MAX_DIMS];
    mo_val shape = {.nd = 0};
    if (!put_dims(lo, at, &shape, nd, dims, &v[0]))
      return brink__lo_bad();
    memcpy(all, shape.dims, sizeof shape.dims);
    mo_val r = brink__lo_array(lo, v[0].base, shape.nd, all);
    size_t each = brink__lo_count(&v[0]);
    r.cls = v[0].cls;
    for (size_t k = 0; r.base != MO_V_BAD && k < n; k++)
      for (size_t j = 0; j < each; j++)
        r.v[k * each + j] = brink__lo_at(&v[k], j);
    return r;
  }
  mo_val r = v[0];
  if (!put_dims(lo, at, &r, nd, dims, &v[0]))
    return brink__lo_bad();
  if (r.base == MO_V_STRING)
    return gather_strings(lo, v, n, r);
  mo_val *one = brink__lo_take(lo, n * sizeof *one);
  r.fields = brink__lo_take(lo, ((size_t)r.n_fields + 1) * sizeof *r.fields);
  for (int f = 0; one && r.fields && f < r.n_fields; f++) {
    for (size_t k = 0; k < n; k++) {
      one[k] = v[k].fields[f];
      if (one[k].base != one[0].base || !brink__lo_same_shape(&one[k], &one[0])) {
        brink__lo_error(lo, at, "the elements of this array have different sizes");
        return brink__lo_bad();
      }
    }
    r.fields[f] = brink__lo_gather(lo, at, one, n, nd, dims);
    if (r.fields[f].base == MO_V_BAD)
      return brink__lo_bad();
  }
  return one && r.fields ? r : brink__lo_bad();
}

static mo_val rearrange_records(mo_low *lo, mo_at at, const mo_val *v,
                                const mo_pos *from, mo_val r)
{
  size_t n = brink__lo_count(&r), used = 0;

  for (size_t k = 0; k < n; k++)
    used = brink__zmax(used, (size_t)from[k].source + 1);
  mo_val *field = brink__lo_take(lo, (used + 1) * sizeof *field);
  r.fields = brink__lo_take(lo, ((size_t)r.n_fields + 1) * sizeof *r.fields);
  for (int f = 0; field && r.fields && f < r.n_fields; f++) {
    mo_val own = v[0].fields[f];
    for (size_t s = 0; s < used; s++)
      field[s] = v[s].fields[f];

    /* the dimensions of the field come behind those of the array */
    own.nd -= v[0].nd;
    memmove(own.dims, own.dims + v[0].nd, (size_t)own.nd * sizeof *own.dims);
    size_t each = brink__lo_count(&own);
    mo_val shape = {.nd = 0};
    mo_pos *all = brink__lo_take(lo, (n * each + 1) * sizeof *all);
    if (!all || !put_dims(lo, at, &shape, r.nd, r.dims, &own))
      return brink__lo_bad();
    for (size_t k = 0; k < n * each; k++)
      all[k] = (mo_pos){from[k / each].source, from[k / each].k * each + k % each};
    r.fields[f] = brink__lo_rearrange(lo, at, field, all, shape.nd, shape.dims);
    if (r.fields[f].base == MO_V_BAD)
      return brink__lo_bad();
  }
  return field && r.fields ? r : brink__lo_bad();
}

mo_val brink__lo_rearrange(mo_low *lo, mo_at at, const mo_val *v, const mo_pos *from,
                           int nd, const int *dims)
{
  mo_val r = v[0], none = {.nd = 0};

  if (!put_dims(lo, at, &r, nd, dims, &none))
    return brink__lo_bad();
  if (r.base == MO_V_RECORD)
    return rearrange_records(lo, at, v, from, r);
  size_t n = brink__lo_count(&r);
  if (r.base == MO_V_STRING) {
    r.fields = brink__lo_take(lo, (n + 1) * sizeof *r.fields);
    for (size_t k = 0; r.fields && k < n; k++) {
      const mo_val *s = &v[from[k].source];
      r.fields[k] = s->nd ? s->fields[from[k].k] : *s;
    }
    return !r.fields ? brink__lo_bad() : nd ? r : r.fields[0];
  }
  if (nd == 0) {
    r.one = brink__lo_at(&v[from[0].source], from[0].k);
    return r;
  }
  r = brink__lo_array(lo, v[0].base, nd, dims);
  r.cls = v[0].cls;
  for (size_t k = 0; r.base != MO_V_BAD && k < n; k++)
    r.v[k] = brink__lo_at(&v[from[k].source], from[k].k);
  return r;
}

mo_val brink__lo_compound_slice(mo_low *lo, const mo_env *env, mo_at at,
                                const mo_val *v, const mo_list *subs)
{
  mo_val r = *v;

  if (v->base == MO_V_STRING) { /* choose among the numbers of the elements */
    mo_val which = brink__lo_array(lo, MO_V_INTEGER, v->nd, v->dims);
    for (size_t k = 0; which.base != MO_V_BAD && k < brink__lo_count(v); k++)
      which.v[k] = brink__integer(lo->g, (int64_t)k);
    which = brink__lo_subscript(lo, env, at, &which, subs);
    if (which.base == MO_V_BAD)
      return which;
    r.nd = which.nd;
    memcpy(r.dims, which.dims, sizeof r.dims);
    size_t n = brink__lo_count(&which);
    r.fields = brink__lo_take(lo, (n + 1) * sizeof *r.fields);
    for (size_t k = 0; r.fields && k < n; k++) {
      double i = 0;
      brink__lo_const(lo, brink__lo_at(&which, k), &i);
      r.fields[k] = v->fields[(size_t)i];
    }
    return !r.fields ? brink__lo_bad() : r.nd ? r : r.fields[0];
  }
  r.fields = brink__lo_take(lo, ((size_t)v->n_fields + 1) * sizeof *r.fields);
  mo_val shape = brink__lo_array(lo, MO_V_INTEGER, v->nd, v->dims);
  for (size_t k = 0; shape.base != MO_V_BAD && k < brink__lo_count(&shape); k++)
    shape.v[k] = brink__integer(lo->g, 0);
  shape = brink__lo_subscript(lo, env, at, &shape, subs);
  if (!r.fields || shape.base == MO_V_BAD)
    return brink__lo_bad();
  r.nd = shape.nd;
  memcpy(r.dims, shape.dims, sizeof r.dims);
  for (int f = 0; f < v->n_fields; f++) {
    r.fields[f] = brink__lo_subscript(lo, env, at, &v->fields[f], subs);
    if (r.fields[f].base == MO_V_BAD)
      return brink__lo_bad();
  }
  return r;
}

mo_val brink__lo_compound_copy(mo_low *lo, const mo_val *v)
{
  mo_val r = *v;
  size_t n = v->base == MO_V_RECORD ? (size_t)v->n_fields : brink__lo_count(v);

  if (v->base == MO_V_STRING && v->nd == 0)
    return r;
  r.fields = brink__lo_take(lo, (n + 1) * sizeof *r.fields);
  for (size_t i = 0; r.fields && i < n; i++)
    r.fields[i] = brink__lo_copy(lo, &v->fields[i]);
  return r.fields ? r : brink__lo_bad();
}
