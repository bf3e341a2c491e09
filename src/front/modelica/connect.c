/* connect.c -- connections: potentials are equal, flows sum to zero [Modelica36, 9.2].
 *
 * A connect names two connectors; their variables are paired by name.  A potential
 * gets an equation when it joins two sets that were apart, so that a ring of
 * connections is not one equation too many.  A flow variable belongs to one set as
 * seen from inside its component's surroundings and to another as seen from within
 * the component whose connector it is; there it counts with the opposite sign.  A
 * flow that no connection mentions is zero.
 */
#include "front/modelica/lower.h"

#include <string.h>

typedef struct end { /* of a connection */
  mo_inst *inst;
  int outside; /* a connector of the model in which the connect stands */
} end;

/* ------------------------------------------------------------------ names ---- */

/* the element that the subscripts of a part choose; NULL: bad */
static mo_inst *element(mo_low *lo, const mo_env *env, mo_inst *inst,
                        const mo_part *part, mo_at at)
{
  int32_t offset = 0;

  if (part->subs.n == 0)
    return inst;
  if (part->subs.n != inst->nd ||
      (inst->base != MO_V_CLASS && inst->base != MO_V_RECORD)) {
    brink__lo_error(lo, at,
                    "slices and single variables of arrays cannot be connected yet; "
                    "write equations");
    return NULL;
  }
  for (int i = 0; i < part->subs.n; i++) {
    int64_t k;
    mo_env inner = *env;
    inner.end = inst->dims[i];
    if (part->subs.v[i]->kind == MO_ALL || part->subs.v[i]->kind == MO_RANGE) {
      brink__lo_error(lo, at, "slices cannot be connected yet; use a for");
      return NULL;
    }
    if (!brink__lo_int(lo, &inner, part->subs.v[i], "a subscript", &k))
      return NULL;
    if (k < 1 || k > inst->dims[i]) {
      brink__lo_error(lo, at, "subscript %lld is out of range: the size of '%s' is %d",
                      (long long)k, brink__lo_path(lo, inst, -1), inst->dims[i]);
      return NULL;
    }
    offset = offset * inst->dims[i] + (int32_t)k - 1;
  }
  return inst->kids[offset];
}

static int is_connector(const mo_inst *inst)
{
  return inst->cls && inst->cls->kind == MO_C_CONNECTOR && inst->base != MO_V_ENUM;
}

/* 1 found, 0 bad, -1 it does not exist (its condition is false) */
static int find_end(mo_low *lo, const mo_env *env, const mo_expr *e, end *out)
{
  const mo_ref *ref = &e->ref;
  mo_found f = brink__lo_find_name(lo, env->scope, ref->parts[0].name, e->at);

  if (f.kind == MO_F_NONE)
    brink__lo_unknown(lo, env->scope, ref, e->at, "connector");
  else if (f.kind != MO_F_INST && f.kind != MO_F_BAD)
    brink__lo_error(lo, e->at, "'%s' is no connector", brink__lo_ref_text(lo, ref));
  if (f.kind != MO_F_INST)
    return 0;
  mo_inst *inst = f.inst;
  for (int i = 0;; i++) {
    if (!brink__lo_ready(lo, inst))
      return inst->absent ? -1 : 0;
    if (i == 0)
      out->outside = is_connector(inst) || inst->base < MO_V_CLASS;
    inst = element(lo, env, inst, &ref->parts[i], e->at);
    if (!inst)
      return 0;
    if (i + 1 == ref->n)
      break;
    mo_inst *kid = brink__lo_kid(lo, inst, ref->parts[i + 1].name);
    if (!kid) {
      brink__lo_error(lo, e->at, "'%s' has no component '%s'",
                      brink__lo_path(lo, inst, -1), ref->parts[i + 1].name->bare);
      return 0;
    }
    inst = kid;
  }
  out->inst = inst;
  return 1;
}

/* ------------------------------------------------------------------- sets ---- */

/* trees of 2 n keys: variable i seen from inside is 2 i, from outside 2 i + 1 */
static int32_t root_of(int32_t *parent, int32_t k)
{
  while (parent[k] != k) {
    parent[k] = parent[parent[k]];
    k = parent[k];
  }
  return k;
}

static int open_sets(mo_low *lo)
{
  size_t n = 2 * lo->n_vars + 2;

  if (lo->sets)
    return 1;
  lo->sets = brink__alloc(lo->ctx, n * sizeof *lo->sets);
  if (!lo->sets) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  lo->n_sets = n;
  for (size_t i = 0; i < n; i++)
    lo->sets[i] = (int32_t)i;
  return 1;
}

static void join_flow(mo_low *lo, int32_t a, int32_t b)
{
  a = root_of(lo->sets, a);
  b = root_of(lo->sets, b);
  lo->sets[a > b ? a : b] = a > b ? b : a;
}

static void join_potential(mo_low *lo, mo_at at, int32_t a, int32_t b)
{
  int32_t x = root_of(lo->sets, 2 * a), y = root_of(lo->sets, 2 * b);
  mo_sink *to = &lo->eqns;

  if (x == y)
    return;
  lo->sets[x > y ? x : y] = x > y ? y : x;
  if (brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
    to->v[to->n++] = (brink__flat_eqn){
        brink__lo_value(lo, a), brink__lo_value(lo, b), {at.line, at.col}};
}

/* -------------------------------------------------------------- connecting ---- */

static void differ(mo_low *lo, mo_at at, const mo_inst *a, const mo_inst *b)
{
  brink__lo_error(lo, at, "'%s' and '%s' cannot be connected: they are not of one kind",
                  brink__lo_path(lo, a, -1), brink__lo_path(lo, b, -1));
}

static void join_leaves(mo_low *lo, mo_at at, end a, end b)
{
  mo_inst *x = a.inst, *y = b.inst;

  if (x->base != y->base || x->count != y->count || x->nd != y->nd ||
      x->linkage != y->linkage) {
    differ(lo, at, x, y);
    return;
  }
  if (x->var < 0 || y->var < 0 || x->variability >= MO_PARAMETER)
    return; /* constants and parameters are not connected */
  for (int32_t k = 0; k < x->count; k++)
    if (x->linkage == MO_FLOW) {
      join_flow(lo, 2 * (x->var + k) + a.outside, 2 * (y->var + k) + b.outside);
      lo->in_set[2 * (x->var + k) + a.outside] = 1;
      lo->in_set[2 * (y->var + k) + b.outside] = 1;
    } else
      join_potential(lo, at, x->var + k, y->var + k);
}

static void join_ends(mo_low *lo, mo_at at, end a, end b)
{
  int leaf_a = a.inst->base < MO_V_RECORD, leaf_b = b.inst->base < MO_V_RECORD;

  if (a.inst->base == MO_V_BAD || b.inst->base == MO_V_BAD)
    return;
  if (leaf_a && leaf_b) {
    join_leaves(lo, at, a, b);
    return;
  }
  if (leaf_a || leaf_b || a.inst->nd != b.inst->nd ||
      a.inst->n_kids != b.inst->n_kids) {
    differ(lo, at, a.inst, b.inst);
    return;
  }
  for (int i = 0; i < a.inst->n_kids; i++) {
    mo_inst *x = a.inst->kids[i];
    mo_inst *y = x->name ? brink__lo_kid(lo, b.inst, x->name) : b.inst->kids[i];
    if (!y) {
      differ(lo, at, a.inst, b.inst);
      return;
    }
    join_ends(lo, at, (end){x, a.outside}, (end){y, b.outside});
  }
}

void brink__lo_connect(mo_low *lo, const mo_env *env, const mo_stmt *s)
{
  end a, b;
  int found_a = find_end(lo, env, s->left, &a),
      found_b = find_end(lo, env, s->right, &b);

  if (found_a != 1 || found_b != 1 || !open_sets(lo))
    return;
  if (!lo->in_set) {
    lo->in_set = brink__alloc(lo->ctx, lo->n_sets);
    if (!lo->in_set) {
      brink__diag_nomem(lo->diag);
      return;
    }
    memset(lo->in_set, 0, lo->n_sets);
  }
  if ((a.inst->base == MO_V_CLASS && !is_connector(a.inst)) ||
      (b.inst->base == MO_V_CLASS && !is_connector(b.inst))) {
    brink__lo_error(
        lo, s->at, "'%s' is no connector",
        brink__lo_path(
            lo, a.inst->base == MO_V_CLASS && !is_connector(a.inst) ? a.inst : b.inst,
            -1));
    return;
  }
  join_ends(lo, s->at, a, b);
}

/* --------------------------------------------------------------- the sums ---- */

static void push(mo_low *lo, brink__node l, brink__node r, brink__place at)
{
  mo_sink *to = &lo->eqns;

  if (brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
    to->v[to->n++] = (brink__flat_eqn){l, r, at};
}

/* flow variables of connectors, everywhere below inst */
static void lonely(mo_low *lo, const mo_inst *inst, int in_connector)
{
  if (inst->absent || inst->base == MO_V_BAD)
    return;
  in_connector |= is_connector(inst);
  for (int i = 0; i < inst->n_kids; i++)
    lonely(lo, inst->kids[i], in_connector);
  if (!in_connector || inst->linkage != MO_FLOW || inst->var < 0)
    return;
  for (int32_t k = 0; k < inst->count; k++)
    if (!lo->in_set || !lo->in_set[2 * (inst->var + k)])
      push(lo, brink__lo_value(lo, inst->var + k), brink__real(lo->g, 0),
           lo->vars[inst->var + k].at);
}

void brink__lo_flows(mo_low *lo)
{
  brink__node *sum = NULL;

  lonely(lo, lo->root, 0);
  if (!lo->in_set)
    return;
  sum = brink__alloc(lo->ctx, lo->n_sets * sizeof *sum);
  if (!sum) {
    brink__diag_nomem(lo->diag);
    return;
  }
  memset(sum, 0, lo->n_sets * sizeof *sum);
  for (size_t i = 0; i < lo->n_sets; i++) {
    if (!lo->in_set[i])
      continue;
    brink__node f = brink__lo_value(lo, (int32_t)(i / 2));
    brink__node *to = &sum[root_of(lo->sets, (int32_t)i)];
    if (i % 2)
      *to = *to ? brink__sub(lo->g, *to, f) : brink__op1(lo->g, BRINK_OP_NEG, f);
    else
      *to = *to ? brink__add(lo->g, *to, f) : f;
  }
  for (size_t i = 0; i < lo->n_sets; i++)
    if (sum[i])
      push(lo, sum[i], brink__real(lo->g, 0), lo->vars[i / 2].at);
  brink__free(lo->ctx, sum, lo->n_sets * sizeof *sum);
}
