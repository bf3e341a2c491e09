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
  int32_t k;   /* one element of an array of variables; -1: all there is */
  int outside; /* a connector of the model in which the connect stands */
} end;

typedef struct ends { /* connect(a[1:3].p, b.p) has three on each side */
  end *v;
  size_t n, cap;
} ends;

/* ------------------------------------------------------------------ names ---- */

static void add(mo_low *lo, ends *list, end e)
{
  if (brink__lo_push(lo, (void **)&list->v, &list->cap, list->n, sizeof e))
    list->v[list->n++] = e;
}

static int is_class(const mo_inst *inst)
{
  return inst->base == MO_V_CLASS || inst->base == MO_V_RECORD;
}

/* positions in an array that subscripts choose, all without one; 0: bad */
static int chosen(mo_low *lo, const mo_env *env, const mo_inst *inst,
                  const mo_list *subs, mo_at at, mo_pick *pick, size_t *n)
{
  static const mo_expr all = {.kind = MO_ALL};

  *n = 1;
  if (subs->n > inst->nd) {
    brink__lo_error(lo, at, "'%s' has %d subscripts too many",
                    brink__lo_path(lo, inst, -1), subs->n - inst->nd);
    return 0;
  }
  for (int d = 0; d < inst->nd; d++) {
    if (!brink__lo_pick(lo, env, at, d < subs->n ? subs->v[d] : &all, inst->dims[d],
                        &pick[d]))
      return 0;
    *n *= (size_t)pick[d].n;
  }
  return 1;
}

/* what part i of the name means for one end found so far: 1 ok, 0 bad, -1 absent */
static int step(mo_low *lo, const mo_env *env, const mo_expr *e, int i, end from,
                ends *out)
{
  mo_inst *inst = from.inst;
  mo_pick pick[MO_MAX_DIMS];
  int turn[MO_MAX_DIMS] = {0};
  size_t n;

  if (!brink__lo_ready(lo, inst))
    return inst->absent ? -1 : 0;
  if (i == 0)
    from.outside = inst->connector;
  if (!chosen(lo, env, inst, &e->ref.parts[i].subs, e->at, pick, &n))
    return 0;
  for (size_t c = 0; c < n; c++) {
    int32_t k = 0;
    for (int d = 0; d < inst->nd; d++)
      k = k * inst->dims[d] + (pick[d].nd ? pick[d].at[turn[d]] : pick[d].one);
    end next = {inst, -1, from.outside};
    if (inst->nd && is_class(inst))
      next.inst = inst->kids[k];
    else if (inst->nd)
      next.k = k;
    if (i + 1 < e->ref.n) {
      mo_inst *kid = brink__lo_kid(lo, next.inst, e->ref.parts[i + 1].name);
      if (!kid) {
        brink__lo_error(lo, e->at, "'%s' has no component '%s'",
                        brink__lo_path(lo, next.inst, -1),
                        e->ref.parts[i + 1].name->bare);
        return 0;
      }
      next.inst = kid;
    }
    add(lo, out, next);
    for (int d = inst->nd - 1; d >= 0 && ++turn[d] == pick[d].n; d--)
      turn[d] = 0;
  }
  return 1;
}

/* 1 found, 0 bad, -1 it does not exist (its condition is false) */
static int find_ends(mo_low *lo, const mo_env *env, const mo_expr *e, ends *out)
{
  const mo_ref *ref = &e->ref;
  mo_found f = brink__lo_find_name(lo, env->scope, ref->parts[0].name, e->at);
  int found = 1;

  if (f.kind == MO_F_NONE)
    brink__lo_unknown(lo, env->scope, ref, e->at, "connector");
  else if (f.kind != MO_F_INST && f.kind != MO_F_BAD)
    brink__lo_error(lo, e->at, "'%s' is no connector", brink__lo_ref_text(lo, ref));
  if (f.kind != MO_F_INST)
    return 0;
  add(lo, out, (end){f.inst, -1, 0});
  for (int i = 0; i < ref->n && found == 1; i++) {
    ends next = {0};
    for (size_t k = 0; k < out->n && found == 1; k++)
      found = step(lo, env, e, i, out->v[k], &next);
    if (out->cap)
      brink__free(lo->ctx, out->v, out->cap * sizeof *out->v);
    *out = next;
  }
  return found;
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
        brink__lo_value(lo, a), brink__lo_value(lo, b), {at.line, at.col}, lo->place};
}

/* -------------------------------------------------------------- connecting ---- */

static void differ(mo_low *lo, mo_at at, const mo_inst *a, const mo_inst *b)
{
  brink__lo_error(lo, at, "'%s' and '%s' cannot be connected: they are not of one kind",
                  brink__lo_path(lo, a, -1), brink__lo_path(lo, b, -1));
}

static void join_scalars(mo_low *lo, mo_at at, end a, int32_t i, end b, int32_t j)
{
  int32_t x = a.inst->var + i, y = b.inst->var + j;

  if (a.inst->linkage == MO_FLOW) {
    join_flow(lo, 2 * x + a.outside, 2 * y + b.outside);
    lo->in_set[2 * x + a.outside] = 1;
    lo->in_set[2 * y + b.outside] = 1;
  } else
    join_potential(lo, at, x, y);
}

static void join_leaves(mo_low *lo, mo_at at, end a, end b)
{
  mo_inst *x = a.inst, *y = b.inst;
  int32_t n = a.k < 0 ? x->count : 1, m = b.k < 0 ? y->count : 1;

  if (x->base != y->base || n != m || x->linkage != y->linkage) {
    differ(lo, at, x, y);
    return;
  }
  if (x->var < 0 || y->var < 0 || x->variability >= MO_PARAMETER)
    return; /* constants and parameters are not connected */
  for (int32_t k = 0; k < n; k++)
    join_scalars(lo, at, a, a.k < 0 ? k : a.k, b, b.k < 0 ? k : b.k);
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
    join_ends(lo, at, (end){x, -1, a.outside}, (end){y, -1, b.outside});
  }
}

static int marks(mo_low *lo)
{
  if (!open_sets(lo))
    return 0;
  if (!lo->in_set) {
    lo->in_set = brink__alloc(lo->ctx, lo->n_sets);
    if (!lo->in_set) {
      brink__diag_nomem(lo->diag);
      return 0;
    }
    memset(lo->in_set, 0, lo->n_sets);
  }
  return 1;
}

/* Is this end no connector?  Then it is said, with the place of its name. */
static int no_connector(mo_low *lo, const mo_expr *name, end e, end other)
{
  if (e.inst->connector || e.inst->base == MO_V_BAD)
    return 0;
  if (e.inst->base == MO_V_CLASS)
    brink__lo_error(lo, name->at, "'%s' is no connector",
                    brink__lo_path(lo, e.inst, -1));
  else
    brink__lo_error(lo, name->at,
                    "'%s' is a variable, not a connector; write the equation %s = %s",
                    brink__lo_path(lo, e.inst, e.k), brink__lo_path(lo, e.inst, e.k),
                    brink__lo_path(lo, other.inst, other.k));
  return 1;
}

static void join_all(mo_low *lo, const mo_stmt *s, const ends *a, const ends *b)
{
  if (a->n != b->n) {
    brink__lo_error(lo, s->at, "%zu and %zu connectors cannot be connected one by one",
                    a->n, b->n);
    return;
  }
  for (size_t i = 0; i < a->n && !brink__diag_full(lo->diag); i++) {
    end x = a->v[i], y = b->v[i];
    if (no_connector(lo, s->left, x, y) || no_connector(lo, s->right, y, x))
      return; /* the others will not be, either */
    join_ends(lo, s->at, x, y);
  }
}

void brink__lo_connect(mo_low *lo, const mo_env *env, const mo_stmt *s)
{
  ends a = {0}, b = {0};
  int found_a = find_ends(lo, env, s->left, &a),
      found_b = find_ends(lo, env, s->right, &b);

  if (found_a == 1 && found_b == 1 && marks(lo))
    join_all(lo, s, &a, &b);
  if (a.cap)
    brink__free(lo->ctx, a.v, a.cap * sizeof *a.v);
  if (b.cap)
    brink__free(lo->ctx, b.v, b.cap * sizeof *b.v);
}

/* --------------------------------------------------------------- the sums ---- */

static void push(mo_low *lo, brink__node l, brink__node r, brink__place at,
                 int32_t place)
{
  mo_sink *to = &lo->eqns;

  if (brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
    to->v[to->n++] = (brink__flat_eqn){l, r, at, place};
}

/* flow variables of connectors, everywhere below inst */
static void lonely(mo_low *lo, const mo_inst *inst, int in_connector)
{
  if (inst->absent || inst->base == MO_V_BAD)
    return;
  in_connector |= inst->connector;
  for (int i = 0; i < inst->n_kids; i++)
    lonely(lo, inst->kids[i], in_connector);
  if (!in_connector || inst->linkage != MO_FLOW || inst->var < 0)
    return;
  for (int32_t k = 0; k < inst->count; k++)
    if (!lo->in_set || !lo->in_set[2 * (inst->var + k)])
      push(lo, brink__lo_value(lo, inst->var + k), brink__real(lo->g, 0),
           lo->vars[inst->var + k].at, brink__lo_place(lo, inst->parent));
}

/* the place of the sum over set i: where all its variables are, or the model */
static int32_t place_of(mo_low *lo, size_t i)
{
  int32_t root = root_of(lo->sets, (int32_t)i);
  mo_inst *first = lo->var_inst[i / 2];

  for (size_t k = 0; lo->n_modes && k < lo->n_sets; k++)
    if (lo->in_set[k] && root_of(lo->sets, (int32_t)k) == root &&
        brink__lo_mode_of(lo->var_inst[k / 2]) != brink__lo_mode_of(first))
      return 0;
  return lo->n_modes ? brink__lo_place(lo, first->parent) : 0;
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
      push(lo, sum[i], brink__real(lo->g, 0), lo->vars[i / 2].at, place_of(lo, i));
  brink__free(lo->ctx, sum, lo->n_sets * sizeof *sum);
}
