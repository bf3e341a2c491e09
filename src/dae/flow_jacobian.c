/* flow_jacobian.c -- the exact sparse Jacobian of the right-hand side.
 *
 * The program of the derivatives is a list of explicit assignments s = e(...) and of
 * loops.  With u = (y, z), z the unknowns of the loops, it is M u' = F(t, u) (flow.h).
 * dF/du follows by the chain rule, forward over the assignments:
 *
 *   ds/du_j = sum over the symbols w of e of de/dw dw/du_j
 *
 * where de/dw is differentiated symbolically (expr/walk.c).  All entries are one tape.
 *
 * A variable that depends on many others and is read more than once (the mean of all
 * states) would make the matrix dense, and a running sum takes n^2 operations though it
 * has n terms.  Such variables become unknowns of their own, with the residual e - s:
 * the matrix is larger by a row and a column, and as sparse as the equations are.
 */
#include "dae/build.h"

#include <string.h>

/* A variable with so many derivatives that is read more than once, or with so many in
 * any case, becomes an unknown. */
enum { SHARED_LONG = 64, LONG = 256 };

typedef struct chain {
  dae_build *b;
  size_t n_rows;       /* explicit assignments, then residuals of loops            */
  size_t n_explicit;   /* the first of them                                        */
  brink__node *root;   /* [n_rows]                                                 */
  int32_t *target;     /* [n_explicit] symbol that it assigns                      */
  int32_t *row_of;     /* [n_symbols] the assignment, -1: none                     */
  int32_t *col_of;     /* [n_symbols] place in u, -1: none                         */
  int32_t *uses;       /* [n_symbols] roots that depend on it                      */
  brink__pattern p;    /* of the roots: states, unknowns, assigned symbols         */
  brink__node *part;   /* [p.nnz] derivatives of the roots                         */
  size_t *first, *end; /* [n_rows] ... and of what they are in terms of u, in ...  */
  dae_list col, value; /* ... these                                                */
  brink__node *sum;    /* [n_rows + n] zeros; of the row under way                 */
  dae_list touched;    /* its places                                               */
  dae_list z;          /* symbols of the unknowns behind the states                */
} chain;

/* Number of states as methods see them: a model without any has one at rest. */
static size_t n_of(const chain *c) { return c->b->m->n_states ? c->b->m->n_states : 1; }

static brink_status out_of_memory(const chain *c)
{
  brink_status rc = c->b->ctx->err.status;
  return rc < 0 ? rc : BRINK_ENOMEM;
}

/* ---------------------------------------------------------- collecting --- */

static void count(const dae_program *p, size_t *n_explicit, size_t *n_z)
{
  *n_explicit = *n_z = 0;
  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    *(s->loop ? n_z : n_explicit) += s->loop ? s->loop->n : s->n_rows;
  }
}

static brink_status take(chain *c)
{
  dae_build *b = c->b;
  brink__pool *tmp = &b->tmp;
  size_t n_z;

  count(&b->m->flow, &c->n_explicit, &n_z);
  c->n_rows = c->n_explicit + n_z;
  BRINK_TRY(DAE_TAKE(tmp, c->n_rows, &c->root));
  BRINK_TRY(DAE_TAKE(tmp, c->n_explicit, &c->target));
  BRINK_TRY(brink__dae_take_ids(tmp, b->n_symbols, &c->row_of));
  BRINK_TRY(brink__dae_take_ids(tmp, b->n_symbols, &c->col_of));
  BRINK_TRY(DAE_TAKE(tmp, b->n_symbols, &c->uses));
  BRINK_TRY(DAE_TAKE(tmp, c->n_rows, &c->first));
  BRINK_TRY(DAE_TAKE(tmp, c->n_rows, &c->end));
  return DAE_TAKE(tmp, c->n_rows + n_of(c), &c->sum);
}

static brink_status add_unknown(chain *c, int32_t symbol)
{
  c->col_of[symbol] = (int32_t)(n_of(c) + c->z.n);
  return brink__dae_list_add(c->b->ctx, &c->z, symbol);
}

/* The roots, and the places of states and unknowns. */
static brink_status collect(chain *c)
{
  const dae_model *m = c->b->m;
  size_t at = 0, res = c->n_explicit;

  for (size_t i = 0; i < m->n_states; i++)
    c->col_of[m->state_symbol[i]] = (int32_t)i;
  for (size_t k = 0; k < m->flow.n_steps; k++) {
    const dae_step *s = &m->flow.steps[k];
    for (size_t i = 0; s->loop && i < s->loop->n; i++) {
      c->root[res++] = s->loop->root[i];
      BRINK_TRY(add_unknown(c, s->loop->symbol[i]));
    }
    for (size_t i = 0; !s->loop && i < s->n_rows; i++) {
      c->row_of[s->target[i]] = (int32_t)at;
      c->target[at] = s->target[i];
      c->root[at++] = s->root[i];
    }
  }
  return BRINK_OK;
}

/* Leave out what does not depend on u: assigned symbols without an entry. */
static void prune(chain *c, unsigned char *keep)
{
  size_t kept = 0, from = 0;

  for (size_t i = 0; i < c->n_rows; i++) {
    size_t end = c->p.start[i + 1];
    for (size_t k = from; k < end; k++)
      if (keep[c->p.col[k]])
        c->p.col[kept++] = c->p.col[k];
    from = end;
    c->p.start[i + 1] = kept;
    if (i < c->n_explicit && c->p.start[i] == kept)
      keep[c->target[i]] = 0;
  }
  c->p.nnz = kept;
}

/* The derivatives of the roots with respect to the symbols in them. */
static brink_status differentiate(chain *c)
{
  dae_build *b = c->b;
  unsigned char *keep;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &keep));
  for (size_t s = 0; s < b->n_symbols; s++)
    keep[s] = c->col_of[s] >= 0 || c->row_of[s] >= 0;
  BRINK_TRY(
      brink__pattern_new(b->graph, c->n_rows, c->root, b->n_symbols, keep, &c->p));
  prune(c, keep);
  BRINK_TRY(DAE_TAKE(&b->tmp, c->p.nnz, &c->part));
  BRINK_TRY(brink__jacobian(b->graph, &c->p, c->root, c->part));
  for (size_t k = 0; k < c->p.nnz; k++)
    c->uses[c->p.col[k]] += !brink__node_is(b->graph, c->part[k], 0);
  return BRINK_OK;
}

/* ---------------------------------------------------------- chain rule --- */

static brink_status add(chain *c, int32_t col, brink__node value)
{
  if (!c->sum[col])
    BRINK_TRY(brink__dae_list_add(c->b->ctx, &c->touched, col));
  c->sum[col] = c->sum[col] ? brink__add(c->b->graph, c->sum[col], value) : value;
  return c->sum[col] ? BRINK_OK : out_of_memory(c);
}

/* What the derivative `part` with respect to symbol s adds to those of the row. */
static brink_status add_part(chain *c, int32_t s, brink__node part)
{
  int32_t row = c->row_of[s];

  if (c->col_of[s] >= 0)
    return add(c, c->col_of[s], part);
  for (size_t k = c->first[row]; k < c->end[row]; k++) {
    brink__node v = brink__mul(c->b->graph, part, c->value.v[k]);
    if (!v)
      return out_of_memory(c);
    BRINK_TRY(add(c, c->col.v[k], v));
  }
  return BRINK_OK;
}

/* The derivatives of row i with respect to u. */
static brink_status derive(chain *c, size_t i)
{
  brink_ctx *ctx = c->b->ctx;

  c->touched.n = 0;
  for (size_t k = c->p.start[i]; k < c->p.start[i + 1]; k++)
    if (!brink__node_is(c->b->graph, c->part[k], 0))
      BRINK_TRY(add_part(c, c->p.col[k], c->part[k]));
  c->first[i] = c->col.n;
  for (size_t k = 0; k < c->touched.n; k++) {
    int32_t col = c->touched.v[k];
    BRINK_TRY(brink__dae_list_add(ctx, &c->col, col));
    BRINK_TRY(brink__dae_list_add(ctx, &c->value, c->sum[col]));
    c->sum[col] = BRINK__NONE;
  }
  c->end[i] = c->col.n;
  return BRINK_OK;
}

/* The symbol of row i, which was derived last, becomes an unknown. */
static brink_status promote(chain *c, size_t i)
{
  int32_t s = c->target[i];
  brink__graph *g = c->b->graph;
  brink__node symbol = brink__symbol(g, s, BRINK_TYPE_REAL);

  BRINK_TRY(add_unknown(c, s));
  BRINK_TRY(brink__dae_list_add(c->b->ctx, &c->col, c->col_of[s]));
  BRINK_TRY(brink__dae_list_add(c->b->ctx, &c->value, brink__integer(g, -1)));
  c->end[i] = c->col.n;
  c->root[i] = brink__sub(g, c->root[i], symbol);
  return c->value.v[c->value.n - 1] && c->root[i] ? BRINK_OK : out_of_memory(c);
}

static brink_status derive_all(chain *c)
{
  for (size_t i = 0; i < c->n_rows; i++) {
    BRINK_TRY(derive(c, i));
    size_t n = c->end[i] - c->first[i];
    int32_t uses = i < c->n_explicit ? c->uses[c->target[i]] : 0;
    if ((n >= SHARED_LONG && uses > 1) || (n >= LONG && uses == 1))
      BRINK_TRY(promote(c, i));
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- matrix --- */

/* The residual row of unknown number k. */
static size_t residual_row(const chain *c, size_t k)
{
  size_t n_loop = c->n_rows - c->n_explicit;
  return k < n_loop ? c->n_explicit + k : (size_t)c->row_of[c->z.v[k]];
}

/* Visits the entries of row i of F; those of its diagonal, if it is that of a state, in
 * any case. */
typedef brink_status visit_fn(void *user, size_t row, int32_t col, brink__node value);

static brink_status visit_row(const chain *c, size_t i, visit_fn *visit, void *user)
{
  const dae_model *m = c->b->m;
  size_t n = n_of(c), row = 0;
  int diagonal = i >= n;
  int32_t s = i < m->n_states ? m->der_symbol[i] : -1;

  if (s >= 0 && c->col_of[s] >= 0) /* the derivative is an unknown itself */
    BRINK_TRY(visit(user, i, c->col_of[s], brink__integer(c->b->graph, 1)));
  int listed = i >= n || (s >= 0 && c->col_of[s] < 0 && c->row_of[s] >= 0);
  if (listed)
    row = i >= n ? residual_row(c, i - n) : (size_t)c->row_of[s];
  for (size_t k = listed ? c->first[row] : 0; listed && k < c->end[row]; k++) {
    diagonal |= c->col.v[k] == (int32_t)i;
    BRINK_TRY(visit(user, i, c->col.v[k], c->value.v[k]));
  }
  return diagonal ? BRINK_OK
                  : visit(user, i, (int32_t)i, brink__integer(c->b->graph, 0));
}

typedef struct placing {
  size_t *start; /* [n + 1] of columns: counts, then the next free place */
  int32_t *row, *col;
  brink__node *value;
} placing;

static brink_status count_entry(void *user, size_t row, int32_t col, brink__node value)
{
  placing *p = user;

  (void)row;
  p->start[col + 1]++;
  return value ? BRINK_OK : BRINK_ENOMEM;
}

static brink_status place_entry(void *user, size_t row, int32_t col, brink__node value)
{
  placing *p = user;
  size_t at = p->start[col]++;

  p->row[at] = (int32_t)row;
  p->col[at] = col;
  p->value[at] = value;
  return BRINK_OK;
}

/* The entries by columns. */
static brink_status place(chain *c, brink__places *out, brink__node **value)
{
  dae_build *b = c->b;
  placing p = {0};
  size_t n = n_of(c) + c->z.n;

  BRINK_TRY(DAE_TAKE(&b->tmp, n + 1, &p.start));
  for (size_t i = 0; i < n; i++)
    BRINK_TRY(visit_row(c, i, count_entry, &p));
  for (size_t j = 0; j < n; j++)
    p.start[j + 1] += p.start[j];
  size_t nnz = p.start[n];
  BRINK_TRY(DAE_TAKE(&b->m->pool, nnz, &p.row));
  BRINK_TRY(DAE_TAKE(&b->m->pool, nnz, &p.col));
  BRINK_TRY(DAE_TAKE(&b->tmp, nnz, &p.value));
  for (size_t i = 0; i < n; i++)
    BRINK_TRY(visit_row(c, i, place_entry, &p));
  *out = (brink__places){n, nnz, p.row, p.col};
  *value = p.value;
  return BRINK_OK;
}

/* --------------------------------------------------------------- tapes --- */

static int is_assigned(const chain *c, size_t row)
{
  return row < c->n_explicit && c->col_of[c->target[row]] < 0;
}

/* The assignments whose symbols are marked, with those that they need. */
static brink_status put_needed(chain *c, unsigned char *need, dae_list *root,
                               dae_list *target)
{
  dae_build *b = c->b;

  for (size_t i = c->n_explicit; i-- > 0;) {
    if (!need[c->target[i]] || !is_assigned(c, i))
      continue;
    BRINK_TRY(brink__dae_symbols(b, 1, &c->root[i]));
    for (size_t k = 0; k < b->list.n; k++)
      need[b->list.v[k]] = 1;
    BRINK_TRY(brink__dae_list_add(b->ctx, root, c->root[i]));
    BRINK_TRY(brink__dae_list_add(b->ctx, target, c->target[i]));
  }
  return BRINK_OK;
}

/* A tape of n results, which are its last roots, and of the assignments behind them and
 * behind the symbols marked in need. */
static brink_status make_tape(chain *c, size_t n, const brink__node *result,
                              unsigned char *need, brink__tape **out)
{
  dae_build *b = c->b;
  dae_list root = {0}, target = {0};
  brink_status rc = brink__dae_symbols(b, n, result);

  for (size_t k = 0; rc == BRINK_OK && k < b->list.n; k++)
    need[b->list.v[k]] = 1;
  if (rc == BRINK_OK)
    rc = put_needed(c, need, &root, &target);
  for (size_t k = 0; rc == BRINK_OK && k < n; k++) {
    rc = brink__dae_list_add(b->ctx, &root, result[k]);
    if (rc == BRINK_OK)
      rc = brink__dae_list_add(b->ctx, &target, -1);
  }
  if (rc == BRINK_OK)
    rc = brink__dae_tape(b, root.n, root.v, target.v, out);
  brink__dae_list_drop(b->ctx, &root);
  brink__dae_list_drop(b->ctx, &target);
  return rc;
}

static brink_status matrix_tape(chain *c, size_t n, const brink__node *entry)
{
  unsigned char *need;

  BRINK_TRY(DAE_TAKE(&c->b->tmp, c->b->n_symbols, &need));
  return make_tape(c, n, entry, need, &c->b->m->jacobian.tape);
}

/* The residuals of the unknowns and the assertions of the flow; it assigns the
 * derivatives. */
static brink_status residual_tape(chain *c)
{
  dae_build *b = c->b;
  dae_model *m = b->m;
  brink__node *result;
  unsigned char *need;
  size_t n = 0;

  if (c->z.n == 0)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&b->tmp, c->z.n + m->n_flow_asserts, &result));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &need));
  for (size_t k = 0; k < c->z.n; k++)
    result[n++] = c->root[residual_row(c, k)];
  for (size_t k = 0; k < m->n_flow_asserts; k++)
    result[n++] = b->flat->asserts[m->flow_asserts[k]].value;
  for (size_t i = 0; i < m->n_states; i++)
    need[m->der_symbol[i]] = 1;
  return make_tape(c, n, result, need, &m->jacobian.residual);
}

static brink_status build(chain *c)
{
  dae_model *m = c->b->m;
  brink__node *entry;

  BRINK_TRY(take(c));
  BRINK_TRY(collect(c));
  BRINK_TRY(differentiate(c));
  BRINK_TRY(derive_all(c));
  BRINK_TRY(place(c, &m->jacobian.places, &entry));
  BRINK_TRY(matrix_tape(c, m->jacobian.places.nnz, entry));
  BRINK_TRY(residual_tape(c));
  m->jacobian.n_z = c->z.n;
  m->jacobian.z = brink__dae_list_keep(&m->pool, &c->z, c->z.n);
  return m->jacobian.z ? BRINK_OK : BRINK_ENOMEM;
}

brink_status brink__dae_flow_jacobian(dae_build *b)
{
  chain c = {.b = b};
  brink_status rc = build(&c);

  brink__pattern_drop(&c.p);
  brink__dae_list_drop(b->ctx, &c.col);
  brink__dae_list_drop(b->ctx, &c.value);
  brink__dae_list_drop(b->ctx, &c.touched);
  brink__dae_list_drop(b->ctx, &c.z);
  return rc;
}

/* ---------------------------------------------------------- evaluation --- */

/* Values of time, states, unknowns and delays. */
static brink_status stand_at(dae_live *live, double t, const double *u)
{
  const dae_model *m = live->m;

  live->v[BRINK__TIME] = live->t = t;
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = u[i];
  for (size_t k = 0; k < m->jacobian.n_z; k++)
    live->v[m->jacobian.z[k]] = u[m->n + k];
  return m->n_delays ? brink__dae_read_delays(live, t, u) : BRINK_OK;
}

/* Root number k of the last n of a tape. */
static double result(const dae_live *live, const brink__tape *tape, size_t n, size_t k)
{
  return live->v[brink__tape_slot(tape, brink__tape_n_roots(tape) - n + k)];
}

brink_status brink__dae_jacobian_at(dae_live *live, double t, const double *u,
                                    double *entry)
{
  const dae_jacobian *j = &live->m->jacobian;

  BRINK_TRY(stand_at(live, t, u));
  BRINK_TRY(brink__dae_run_tape(live, NULL, j->tape));
  for (size_t k = 0; k < j->places.nnz; k++)
    entry[k] = result(live, j->tape, j->places.nnz, k);
  return BRINK_OK;
}

brink_status brink__dae_residual_at(dae_live *live, double t, const double *u,
                                    double *F)
{
  const dae_model *m = live->m;
  const dae_jacobian *j = &m->jacobian;
  size_t n = j->n_z + m->n_flow_asserts;

  BRINK_TRY(stand_at(live, t, u));
  BRINK_TRY(brink__dae_run_tape(live, NULL, j->residual));
  for (size_t i = 0; i < m->n; i++)
    F[i] = i < m->n_states ? live->v[m->der_symbol[i]] : 0;
  for (size_t k = 0; k < j->n_z; k++)
    F[m->n + k] = result(live, j->residual, n, k);
  for (size_t k = 0; k < m->n_flow_asserts; k++)
    if (result(live, j->residual, n, j->n_z + k) == 0) {
      live->fault =
          (dae_fault){NULL, BRINK__NONE, DAE_FAULT_ASSERT, m->flow_asserts[k]};
      return BRINK_EDOMAIN;
    }
  return BRINK_OK;
}
