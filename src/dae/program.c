/* program.c -- blocks become programs.
 *
 * A program collects the blocks that its results need, in order; neighbouring
 * explicit assignments share a tape, so that a model without loops is one tape.
 * Loops carry their residual and its exact Jacobian as tapes; a loop whose Jacobian
 * does not depend on its unknowns is linear.
 */
#include "dae/build.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ solving ---- */

static brink_status solve_row(dae_build *b, int32_t row)
{
  brink__row *r = &b->rows[row];
  int32_t symbol = b->unknowns[r->unknown].symbol;

  if (b->solved[row])
    return BRINK_OK;
  return brink__dae_solve(&b->walk, r->lhs, r->rhs, symbol, b->by, &b->solved[row]);
}

brink_status brink__dae_solve_alone(dae_build *b, const dae_order *o)
{
  for (size_t c = 0; c < o->c.count; c++) {
    int32_t row = o->c.order[o->c.first[c]];
    int32_t symbol = b->unknowns[b->rows[row].unknown].symbol;
    if (o->c.first[c + 1] - o->c.first[c] > 1)
      continue;
    BRINK_TRY(solve_row(b, row));
    if (b->solved[row] && !b->fixed[symbol])
      BRINK_TRY(brink__dae_walk_degree(&b->walk, b->solved[row], b->degree,
                                       &b->degree[symbol]));
  }
  return BRINK_OK;
}

/* The symbols that a tape of these roots reads. */
static brink_status inputs(dae_build *b, size_t n, const brink__node *roots,
                           int32_t **out, size_t *n_out)
{
  BRINK_TRY(brink__dae_symbols(b, n, roots));
  *n_out = b->list.n;
  *out = brink__dae_list_keep(&b->m->pool, &b->list, b->list.n);
  return *out ? BRINK_OK : BRINK_ENOMEM;
}

/* --------------------------------------------------------------- loops --- */

/* Entries that are not constantly zero, and where they are. */
static brink_status nonzeros(dae_build *b, dae_loop *loop, const brink__pattern *p,
                             brink__node *entry)
{
  BRINK_TRY(DAE_TAKE(&b->m->pool, p->nnz, &loop->i));
  BRINK_TRY(DAE_TAKE(&b->m->pool, p->nnz, &loop->j));
  for (size_t i = 0; i < loop->n; i++)
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
      if (!brink__node_is(b->graph, entry[k], 0)) {
        loop->i[loop->nnz] = (int32_t)i;
        loop->j[loop->nnz] = b->place[p->col[k]];
        entry[loop->nnz++] = entry[k];
      }
  return BRINK_OK;
}

/* The loop is linear if no derivative contains one of its unknowns: one walk over what
 * lies below all of them. */
static brink_status linearity(dae_build *b, dae_loop *loop, const brink__node *entry)
{
  b->list.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&b->walk, loop->nnz, entry, &b->list));
  loop->linear = 1;
  for (size_t k = 0; k < b->list.n; k++)
    loop->linear &= !b->sought[b->list.v[k]];
  return BRINK_OK;
}

/* The derivatives of the residuals with respect to the unknowns that occur in them. */
static brink_status derivatives(dae_build *b, const dae_loop *loop,
                                const brink__node *res, brink__pattern *p,
                                brink__node **entry)
{
  BRINK_TRY(brink__pattern_new(b->graph, loop->n, res, b->n_symbols, b->sought, p));
  BRINK_TRY(DAE_TAKE(&b->tmp, p->nnz, entry));
  return brink__jacobian(b->graph, p, res, *entry);
}

/* Tapes of one program have slots of their own, so that a series of it needs one array
 * (series.c): those of the next tape begin where those of this one end. */
static size_t end_of(const dae_build *b, const brink__tape *tape)
{
  return brink__tape_slots(tape) - b->n_symbols;
}

static brink_status matrix(dae_build *b, dae_loop *loop, const brink__node *res,
                           const brink__pattern *p, brink__node *entry)
{
  BRINK_TRY(inputs(b, loop->n, res, &loop->input, &loop->n_input));
  BRINK_TRY(DAE_TAKE(&b->m->pool, loop->n, &loop->root));
  memcpy(loop->root, res, loop->n * sizeof *res);
  BRINK_TRY(brink__dae_tape(b, loop->n, res, NULL, &loop->residual));
  b->shift = b->loop_slots = end_of(b, loop->residual);
  BRINK_TRY(nonzeros(b, loop, p, entry));
  BRINK_TRY(linearity(b, loop, entry));
  BRINK_TRY(brink__symbolic_new(&b->m->pool, loop->n, loop->nnz, loop->i, loop->j,
                                &loop->pattern));
  return brink__dae_tape(b, loop->nnz, entry, NULL, &loop->jacobian);
}

/* The unknowns of the loop, and whether they are looked for. */
static void mark(dae_build *b, const dae_loop *loop, size_t n, int yes)
{
  for (size_t j = 0; j < n; j++) {
    b->sought[loop->symbol[j]] = (unsigned char)yes;
    b->place[loop->symbol[j]] = (int32_t)j;
  }
}

/* Derivatives of the residuals; those of a nonlinear loop may lose frozen relations. */
static brink_status expand(dae_build *b, dae_loop *loop, brink__node *res,
                           brink__pattern *p, brink__node **entry)
{
  int changed = 0;

  BRINK_TRY(derivatives(b, loop, res, p, entry));
  loop->nnz = p->nnz;
  BRINK_TRY(linearity(b, loop, *entry));
  loop->nnz = 0;
  if (!loop->linear)
    BRINK_TRY(brink__dae_free_kinks(b, loop->n, res, &changed));
  if (!changed)
    return BRINK_OK;
  brink__pattern_drop(p);
  return derivatives(b, loop, res, p, entry);
}

/* Residuals and matrix, with fewer unknowns if possible. */
static brink_status jacobian(dae_build *b, dae_loop *loop, brink__node *res)
{
  brink__pattern p = {.ctx = NULL};
  brink__node *entry;

  mark(b, loop, loop->n, 1);
  brink_status rc = expand(b, loop, res, &p, &entry);
  if (rc == BRINK_OK)
    rc = brink__dae_tear(b, loop, &p, entry, res);
  if (rc == BRINK_OK && loop->n < loop->n_rows) {
    brink__pattern_drop(&p);
    mark(b, loop, loop->n_rows, 0);
    mark(b, loop, loop->n, 1);
    rc = derivatives(b, loop, res, &p, &entry);
  }
  if (rc == BRINK_OK)
    rc = matrix(b, loop, res, &p, entry);
  brink__pattern_drop(&p);
  mark(b, loop, loop->n_rows, 0);
  return rc;
}

/* What the equations of a nonlinear loop read besides its unknowns, and its place in
 * what a simulation remembers of loops. */
static brink_status knowns(dae_build *b, dae_loop *loop, const brink__node *res)
{
  dae_model *m = b->m;
  size_t kept = 0;

  BRINK_TRY(brink__dae_symbols(b, loop->n, res));
  mark(b, loop, loop->n, 1);
  for (size_t i = 0; i < b->list.n; i++)
    if (!b->constant[b->list.v[i]] && !b->sought[b->list.v[i]])
      b->list.v[kept++] = b->list.v[i];
  mark(b, loop, loop->n, 0);
  loop->n_known = kept;
  loop->known = brink__dae_list_keep(&m->pool, &b->list, kept);
  loop->memo = m->n_memo;
  m->n_memo += loop->n_known + loop->n;
  return loop->known ? BRINK_OK : BRINK_ENOMEM;
}

static brink_status make_loop(dae_build *b, const int32_t *rows, size_t n,
                              dae_loop **out)
{
  dae_model *m = b->m;
  dae_loop *loop;
  brink__node *res;

  BRINK_TRY(DAE_TAKE(&m->pool, 1, &loop));
  BRINK_TRY(DAE_TAKE(&m->pool, n, &loop->symbol));
  BRINK_TRY(DAE_TAKE(&m->pool, n, &loop->row));
  BRINK_TRY(DAE_TAKE(&m->pool, n, &loop->var));
  BRINK_TRY(DAE_TAKE(&b->tmp, n, &res));
  loop->n = loop->n_rows = n;
  for (size_t k = 0; k < n; k++) {
    const brink__row *r = &b->rows[rows[k]];
    const dae_unknown *u = &b->unknowns[r->unknown];
    loop->row[k] = rows[k];
    loop->symbol[k] = u->symbol;
    loop->var[k] = u->var; /* of a derivative: the state */
    res[k] = brink__sub(b->graph, r->lhs, r->rhs);
    if (!res[k])
      return b->ctx->err.status;
  }
  BRINK_TRY(jacobian(b, loop, res));
  BRINK_TRY(brink__grow(b->ctx, (void **)&m->loops, &m->cap_loops, m->n_loops + 1,
                        sizeof *m->loops));
  loop->number = m->n_loops;
  m->loops[m->n_loops++] = loop;
  if (!loop->linear)
    BRINK_TRY(knowns(b, loop, res));
  m->max_loop = brink__zmax(m->max_loop, loop->n);
  if (!loop->linear && loop->n <= DAE_SEARCH_MAX)
    m->max_search = brink__zmax(m->max_search, loop->n);
  *out = loop;
  return BRINK_OK;
}

/* The loop of component c.  The orders of flow and events share a loop that has the
 * same rows in both. */
static brink_status loop_of(dae_build *b, const dae_order *o, size_t c, dae_loop **out)
{
  const int32_t *rows = o->c.order + o->c.first[c];
  size_t n = o->c.first[c + 1] - o->c.first[c];
  dae_loop *known = b->loops[rows[0]];

  for (size_t k = 1; k < n && known; k++)
    if (b->loops[rows[k]] != known)
      known = NULL;
  if (known && known->n_rows == n) {
    *out = known;
    return BRINK_OK;
  }
  BRINK_TRY(make_loop(b, rows, n, out));
  for (size_t k = 0; k < n; k++)
    b->loops[rows[k]] = *out;
  return BRINK_OK;
}

/* --------------------------------------------------------------- needs --- */

static brink_status need_symbol(dae_build *b, const dae_order *o, int32_t s,
                                dae_list *rows, dae_list *states)
{
  int32_t u = b->unknown_of[s], x = b->state_of[s];
  int32_t r = u < 0 ? -1 : b->unknowns[u].row;

  if (x >= 0 && b->seen_state[x] != b->epoch) {
    b->seen_state[x] = b->epoch;
    BRINK_TRY(brink__dae_list_add(b->ctx, states, x));
  }
  if (r < 0 || o->of[r] < 0 || b->seen[r] == b->epoch)
    return BRINK_OK;
  b->seen[r] = b->epoch;
  return brink__dae_list_add(b->ctx, rows, r);
}

/* All rows and states that the values of the wanted symbols need. */
static brink_status need(dae_build *b, const dae_order *o, size_t n,
                         const int32_t *want, dae_list *rows, dae_list *states)
{
  b->epoch++;
  for (size_t i = 0; i < n; i++)
    BRINK_TRY(need_symbol(b, o, want[i], rows, states));
  for (size_t k = 0; k < rows->n; k++) {
    size_t r = (size_t)rows->v[k];
    for (size_t e = b->sym_start[r]; e < b->sym_start[r + 1]; e++)
      BRINK_TRY(need_symbol(b, o, b->sym[e], rows, states));
  }
  return BRINK_OK;
}

static int by_number(const void *x, const void *y)
{
  int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

/* ------------------------------------------------------------- program --- */

typedef struct stretch {
  dae_list root, target, row;
} stretch;

static brink_status put(dae_build *b, stretch *s, brink__node root, int32_t target,
                        int32_t row)
{
  BRINK_TRY(brink__dae_list_add(b->ctx, &s->root, root));
  BRINK_TRY(brink__dae_list_add(b->ctx, &s->target, target));
  return row < 0 ? BRINK_OK : brink__dae_list_add(b->ctx, &s->row, row);
}

/* The explicit assignments collected so far become one tape. */
static brink_status flush(dae_build *b, stretch *s, dae_program *p)
{
  dae_step *step = &p->steps[p->n_steps];

  if (s->root.n == 0)
    return BRINK_OK;
  step->n_rows = s->row.n;
  step->row = brink__dae_list_keep(&b->m->pool, &s->row, s->row.n);
  step->root = brink__dae_list_keep(&b->m->pool, &s->root, s->row.n);
  step->target = brink__dae_list_keep(&b->m->pool, &s->target, s->row.n);
  if (!step->row || !step->root || !step->target)
    return BRINK_ENOMEM;
  BRINK_TRY(inputs(b, s->root.n, s->root.v, &step->input, &step->n_input));
  BRINK_TRY(brink__dae_tape(b, s->root.n, s->root.v, s->target.v, &step->tape));
  b->shift = end_of(b, step->tape);
  p->n_steps++;
  s->root.n = s->target.n = s->row.n = 0;
  return BRINK_OK;
}

static brink_status emit(dae_build *b, const dae_order *o, const dae_list *comps,
                         stretch *s, dae_program *p)
{
  for (size_t k = 0; k < comps->n; k++) {
    if (k && comps->v[k] == comps->v[k - 1])
      continue;
    size_t c = (size_t)comps->v[k];
    int32_t row = o->c.order[o->c.first[c]];
    int alone = o->c.first[c + 1] - o->c.first[c] == 1;
    if (alone && b->solved[row]) {
      BRINK_TRY(
          put(b, s, b->solved[row], b->unknowns[b->rows[row].unknown].symbol, row));
      continue;
    }
    BRINK_TRY(flush(b, s, p));
    dae_loop *loop = NULL;
    BRINK_TRY(loop_of(b, o, c, &loop));
    p->steps[p->n_steps++].loop = loop;
    for (size_t i = loop->n; i < loop->n_rows; i++)
      BRINK_TRY(put(b, s, loop->inner[i - loop->n], loop->symbol[i], loop->row[i]));
  }
  return BRINK_OK;
}

static int is_loop(const dae_build *b, const dae_order *o, size_t c)
{
  return o->c.first[c + 1] - o->c.first[c] > 1 || !b->solved[o->c.order[o->c.first[c]]];
}

static brink_status compose(dae_build *b, const dae_order *o, dae_list *rows,
                            dae_list *states, size_t n_roots, const brink__node *roots,
                            stretch *s, dae_program *p)
{
  size_t loops = 0;

  for (size_t k = 0; k < rows->n; k++)
    rows->v[k] = o->of[rows->v[k]];
  if (rows->n)
    qsort(rows->v, rows->n, sizeof *rows->v, by_number);
  for (size_t k = 0; k < rows->n; k++)
    if (k == 0 || rows->v[k] != rows->v[k - 1])
      loops += (size_t)is_loop(b, o, (size_t)rows->v[k]);
  p->n_states = states->n;
  p->states = brink__dae_list_keep(&b->m->pool, states, states->n);
  if (!p->states)
    return BRINK_ENOMEM;
  BRINK_TRY(DAE_TAKE(&b->m->pool, 2 * loops + 1, &p->steps));
  BRINK_TRY(emit(b, o, rows, s, p));
  for (size_t i = 0; i < n_roots; i++)
    BRINK_TRY(put(b, s, roots[i], -1, -1));
  if (p->n_steps == 0) /* a single tape */
    b->shift = 0;
  return flush(b, s, p);
}

brink_status brink__dae_program(dae_build *b, const dae_order *order, size_t n_want,
                                const int32_t *want, size_t n_roots,
                                const brink__node *roots, dae_program *out)
{
  dae_list rows = {NULL, 0, 0}, states = {NULL, 0, 0}, symbols = {NULL, 0, 0};
  stretch s = {{NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}};
  brink_status rc = BRINK_OK;

  *out = (dae_program){0};
  for (size_t i = 0; i < n_want && rc == BRINK_OK; i++)
    rc = brink__dae_list_add(b->ctx, &symbols, want[i]);
  if (rc == BRINK_OK)
    rc = brink__dae_walk_symbols(&b->walk, n_roots, roots, &symbols);
  if (rc == BRINK_OK)
    rc = need(b, order, symbols.n, symbols.v, &rows, &states);
  b->shift = b->loop_slots;
  if (rc == BRINK_OK)
    rc = compose(b, order, &rows, &states, n_roots, roots, &s, out);
  b->shift = 0;
  brink__dae_list_drop(b->ctx, &rows);
  brink__dae_list_drop(b->ctx, &states);
  brink__dae_list_drop(b->ctx, &symbols);
  brink__dae_list_drop(b->ctx, &s.root);
  brink__dae_list_drop(b->ctx, &s.target);
  brink__dae_list_drop(b->ctx, &s.row);
  return rc;
}

/* ---------------------------------------------------------------- all ---- */

static brink_status prepare(dae_build *b)
{
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->by));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->sought));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->place));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &b->solved));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &b->seen));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &b->loops));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->m->n_states, &b->seen_state));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->fixed));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->delayed));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->degree));
  for (size_t s = 0; s < b->n_symbols; s++) {
    b->fixed[s] = b->constant[s] || b->frozen[s];
    b->degree[s] = s == BRINK__TIME || b->state_of[s] >= 0 ? 1
                   : b->fixed[s]                           ? 0
                                                           : DAE_NOT_POLYNOMIAL;
  }
  BRINK_TRY(brink__dae_solve_alone(b, &b->flow));
  return brink__dae_solve_alone(b, &b->event);
}

/* The program of the right-hand side: the derivatives, and the assertions that can fail
 * between events. */
static brink_status flow(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  brink__node *roots;

  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_asserts, &roots));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_asserts, &m->flow_asserts));
  for (size_t i = 0; i < f->n_asserts; i++) {
    int fixed;
    BRINK_TRY(brink__dae_is_fixed(b, f->asserts[i].value, 0, &fixed));
    if (fixed || f->asserts[i].warning)
      continue;
    roots[m->n_flow_asserts] = f->asserts[i].value;
    m->flow_asserts[m->n_flow_asserts++] = (int)i;
  }
  return brink__dae_program(b, &b->flow, m->n_states, m->der_symbol, m->n_flow_asserts,
                            roots, &m->flow);
}

/* Unknowns of the nonlinear loops of a program. */
static size_t n_unknowns(const dae_program *p)
{
  size_t n = 0;

  for (size_t k = 0; k < p->n_steps; k++)
    if (p->steps[k].loop && !p->steps[k].loop->linear)
      n += p->steps[k].loop->n;
  return n;
}

/* The program that solves every nonlinear loop between events. */
static brink_status followed(dae_build *b, int32_t *want)
{
  dae_model *m = b->m;
  size_t n = 0;

  for (size_t k = 0; k < m->all.n_steps; k++) {
    const dae_loop *loop = m->all.steps[k].loop;
    for (size_t i = 0; loop && !loop->linear && i < loop->n; i++)
      want[n++] = loop->symbol[i];
  }
  m->follows = n > 0;
  m->follows_outputs = n > n_unknowns(&m->flow);
  return n ? brink__dae_program(b, &b->flow, n, want, 0, NULL, &m->followed) : BRINK_OK;
}

brink_status brink__dae_programs(dae_build *b)
{
  dae_model *m = b->m;
  int32_t *want;
  size_t n = 0;

  BRINK_TRY(prepare(b));
  BRINK_TRY(flow(b));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_unknowns, &want));
  for (size_t u = 0; u < b->n_unknowns; u++)
    if (b->unknowns[u].kind == DAE_DER || b->unknowns[u].kind == DAE_ALGEBRAIC)
      want[n++] = b->unknowns[u].symbol;
  BRINK_TRY(brink__dae_program(b, &b->flow, n, want, 0, NULL, &m->all));
  BRINK_TRY(followed(b, want));
  for (n = 0; n < b->n_unknowns; n++)
    want[n] = b->unknowns[n].symbol;
  return brink__dae_program(b, &b->event, n, want, 0, NULL, &m->event);
}
