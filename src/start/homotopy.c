/* homotopy.c -- the two forms of a model with homotopy().
 *
 * What is solved while lambda goes from 0 to 1 is a system of its own: the equations as
 * they were read, sorted by what either argument reads (the union of both incidences),
 * the initial equations, and the relations.  Everything else, and so all of the run, is
 * compiled from the equations with lambda = 1, which no longer contain the simplified
 * arguments.  Every perfect matching leads to the same blocks, so the system with
 * lambda uses the matching of the run.
 *
 * The path (homotopy_path.c) has the unknowns of the nonlinear loops that depend on
 * lambda, and the free states where initial equations do.  Without either the start
 * does not depend on lambda, and there is no path.
 */
#include "start/build.h"
#include "clause/clause.h"

#include <string.h>

enum { WORK_MAX = 1 << 24 }; /* numbers of the dense matrix along the path */

/* --------------------------------------------------------------- forms --- */

/* Places in which expressions stand; in all of them lambda is replaced together. */
typedef struct places {
  dae_build *b;
  brink__node **at;
  size_t n, cap;
  brink_status rc; /* of the first that could not be kept */
} places;

static void put(places *p, brink__node *at)
{
  if (p->rc < 0 || !*at)
    return;
  p->rc = brink__grow(p->b->ctx, (void **)&p->at, &p->cap, p->n + 1, sizeof *p->at);
  if (p->rc == BRINK_OK)
    p->at[p->n++] = at;
}

/* Replace lambda by its value in every expression. */
static brink_status replace(places *p, double lambda)
{
  dae_build *b = p->b;
  size_t n_by = (size_t)b->flat->lambda + 1;
  brink__node *by, *nodes;

  BRINK_TRY(p->rc);
  BRINK_TRY(DAE_TAKE(&b->tmp, n_by, &by));
  BRINK_TRY(DAE_TAKE(&b->tmp, p->n, &nodes));
  by[b->flat->lambda] = brink__real(b->graph, lambda);
  if (!by[b->flat->lambda])
    return b->ctx->err.status;
  for (size_t i = 0; i < p->n; i++)
    nodes[i] = *p->at[i];
  BRINK_TRY(brink__substitute(b->graph, n_by, by, p->n, nodes, nodes));
  for (size_t i = 0; i < p->n; i++)
    *p->at[i] = nodes[i];
  return BRINK_OK;
}

/* A copy of n elements; NULL: no memory. */
static void *copy(brink__pool *pool, const void *from, size_t n, size_t elem)
{
  void *to = brink__dae_take(pool, n, elem);

  if (to && n)
    memcpy(to, from, n * elem);
  return to;
}

/* A copy of n elements of the flat model that may be changed. */
static void *own(places *p, const void *from, int n, size_t elem)
{
  void *to = p->rc < 0 ? NULL : copy(&p->b->flat->pool, from, (size_t)n, elem);

  if (!to)
    p->rc = BRINK_ENOMEM;
  return to;
}

static void put_nodes(places *p, const brink__node **list, int n)
{
  brink__node *to = own(p, *list, n, sizeof *to);

  for (int i = 0; to && i < n; i++)
    put(p, &to[i]);
  *list = to ? to : *list;
}

static void put_action(places *p, brink__flat_action *a)
{
  put(p, &a->cond);
  put(p, &a->value);
  put_nodes(p, &a->parts, a->n_parts);
}

static void put_when(places *p, brink__flat_when *w)
{
  brink__flat_branch *to = own(p, w->branches, w->n_branches, sizeof *to);

  for (int k = 0; to && k < w->n_branches; k++) {
    brink__flat_action *a = own(p, to[k].actions, to[k].n_actions, sizeof *a);
    for (int i = 0; a && i < to[k].n_actions; i++)
      put_action(p, &a[i]);
    to[k].actions = a ? a : to[k].actions;
    put_nodes(p, &to[k].conds, to[k].n_conds);
  }
  w->branches = to ? to : w->branches;
}

static void put_vars(places *p)
{
  brink__flat *f = p->b->flat;

  for (size_t i = 0; i < f->n_vars; i++) {
    brink__flat_var *v = &f->vars[i];
    put(p, &v->binding);
    put(p, &v->start);
    put(p, &v->min);
    put(p, &v->max);
    put(p, &v->nominal);
  }
}

static void put_eqns(places *p, brink__flat_eqn *e, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    put(p, &e[i].lhs);
    put(p, &e[i].rhs);
  }
}

static void put_switches(places *p)
{
  brink__flat *f = p->b->flat;

  for (size_t i = 0; i < f->n_relations; i++) {
    put(p, &f->relations[i].left);
    put(p, &f->relations[i].right);
  }
  for (size_t i = 0; i < f->n_stairs; i++)
    put(p, &f->stairs[i].arg);
  for (size_t i = 0; i < f->n_samples; i++) {
    put(p, &f->samples[i].start);
    put(p, &f->samples[i].interval);
  }
  for (size_t i = 0; i < f->n_delays; i++) {
    put(p, &f->delays[i].arg);
    put(p, &f->delays[i].by);
    put(p, &f->delays[i].most);
  }
}

static void put_flat(places *p)
{
  brink__flat *f = p->b->flat;

  put_vars(p);
  put_eqns(p, f->eqns, f->n_eqns);
  put_eqns(p, f->initial_eqns, f->n_initial_eqns);
  put_switches(p);
  for (size_t i = 0, k = 0; i < f->n_whens; i++) {
    put_when(p, &f->whens[i]);
    for (int j = 0; j < f->whens[i].n_branches; j++) /* they have been copied */
      p->b->m->branches[k++].flat = &f->whens[i].branches[j];
  }
  for (size_t i = 0; i < f->n_asserts; i++)
    put_action(p, &f->asserts[i]);
}

static void put_rows(places *p, brink__row *rows)
{
  for (size_t i = 0; i < p->b->n_rows; i++) {
    put(p, &rows[i].lhs);
    put(p, &rows[i].rhs);
  }
}

/* Keep the equations of the path, before lambda becomes 1. */
static brink_status keep_forms(dae_build *b)
{
  const brink__flat *f = b->flat;
  start_forms *l = b->forms;
  size_t n = b->n_rows;

  l->rows = copy(&b->tmp, b->rows, n, sizeof *b->rows);
  l->initial = copy(&b->tmp, f->initial_eqns, f->n_initial_eqns, sizeof *l->initial);
  l->relations = copy(&b->tmp, f->relations, f->n_relations, sizeof *l->relations);
  l->stairs = copy(&b->tmp, f->stairs, f->n_stairs, sizeof *l->stairs);
  b->m->simple_rows = copy(&b->m->pool, b->rows, n, sizeof *b->rows);
  return l->rows && l->initial && l->relations && l->stairs && b->m->simple_rows
             ? BRINK_OK
             : BRINK_ENOMEM;
}

brink_status brink__start_homotopy_forms(dae_build *b)
{
  places run = {.b = b}, simple = {.b = b};

  if (b->flat->lambda == 0)
    return BRINK_OK;
  b->constant[b->flat->lambda] = 1;
  BRINK_TRY(keep_forms(b));
  put_flat(&run);
  put_rows(&run, b->rows);
  put_rows(&simple, b->m->simple_rows);
  brink_status rc = replace(&run, 1);
  if (rc == BRINK_OK)
    rc = replace(&simple, 0);
  brink__free(b->ctx, run.at, run.cap * sizeof *run.at);
  brink__free(b->ctx, simple.at, simple.cap * sizeof *simple.at);
  return rc;
}

/* ------------------------------------------------------------- reaching -- */

/* Which steps and conditions depend on the symbols that are marked. */
typedef struct reach {
  dae_build *b;
  unsigned char *mark;      /* [n_symbols]                                          */
  unsigned char *step;      /* [program.n_steps]                                    */
  unsigned char *condition; /* [n of the start] its conditions                      */
} reach;

static int reads(const reach *r, int32_t row)
{
  for (size_t e = r->b->sym_start[row]; e < r->b->sym_start[row + 1]; e++)
    if (r->mark[r->b->sym[e]])
      return 1;
  return 0;
}

static void mark_loop(reach *r, size_t k, const dae_loop *loop)
{
  for (size_t i = 0; i < loop->n_rows && !r->step[k]; i++)
    r->step[k] = (unsigned char)reads(r, loop->row[i]);
  for (size_t i = 0; i < loop->n_rows && r->step[k]; i++)
    r->mark[loop->symbol[i]] = 1;
}

static brink_status spread(reach *r, const brink__node *sides)
{
  dae_build *b = r->b;
  const dae_program *p = &b->m->homotopy->program;

  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    if (s->loop)
      mark_loop(r, k, s->loop);
    for (size_t i = 0; !s->loop && i < s->n_rows; i++)
      if (reads(r, s->row[i]))
        r->mark[brink__dae_target(s, i)] = 1;
  }
  for (size_t i = 0; i < b->m->initial->n; i++) {
    BRINK_TRY(brink__dae_symbols(b, 2, &sides[2 * i]));
    for (size_t k = 0; k < b->list.n; k++)
      r->condition[i] |= r->mark[b->list.v[k]];
  }
  return BRINK_OK;
}

/* ---------------------------------------------------------------- path --- */

/* The conditions and unknowns of the start that take part in the path: those that are
 * searched while discrete variables keep their values. */
static int takes_part(int level) { return level >= 0 && level <= START_STATES; }

static void count(const start_system *in, start_homotopy *l)
{
  l->n = l->n_rows = l->n_loops;
  for (size_t j = 0; j < in->n_searched && l->with_states; j++)
    l->n += (size_t)takes_part(in->unknowns[j].level);
  for (size_t i = 0; i < in->n && l->with_states; i++)
    l->n_rows += (size_t)takes_part(in->conditions[i].level);
}

/* Which loops, and whether the conditions of the start, depend on lambda. */
static brink_status depend(dae_build *b, const brink__node *sides, reach *r)
{
  dae_model *m = b->m;
  const start_system *in = m->initial;
  start_homotopy *l = m->homotopy;

  r->mark[b->flat->lambda] = 1;
  for (size_t i = 0; i < in->n_assigns; i++) {
    int moves;
    BRINK_TRY(
        brink__dae_walk_mark(&b->walk, b->forms->assigns[i], b->flat->lambda, &moves));
    r->mark[in->assigns[i].target] |= (unsigned char)moves;
  }
  BRINK_TRY(spread(r, sides));
  for (size_t i = 0; i < in->n; i++)
    l->with_states |= r->condition[i] && takes_part(in->conditions[i].level);
  for (size_t j = 0; j < in->n_searched && l->with_states; j++)
    if (takes_part(in->unknowns[j].level))
      r->mark[in->unknowns[j].symbol] = 1;
  return l->with_states ? spread(r, sides) : BRINK_OK;
}

/* Find the unknowns of the path; `used` if there are any and not too many. */
static brink_status unknowns(dae_build *b, const brink__node *sides)
{
  dae_model *m = b->m;
  start_homotopy *l = m->homotopy;
  reach r = {.b = b};

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &r.mark));
  BRINK_TRY(DAE_TAKE(&m->pool, l->program.n_steps, &l->open));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->initial->n, &r.condition));
  r.step = l->open;
  BRINK_TRY(depend(b, sides, &r));
  for (size_t k = 0; k < l->program.n_steps; k++) {
    const dae_loop *loop = l->program.steps[k].loop;
    l->open[k] &= loop && !loop->linear;
    l->n_loops += l->open[k] ? loop->n : 0;
  }
  count(m->initial, l);
  l->used = (l->n_loops || l->with_states) && l->n + 1 <= WORK_MAX / (l->n_rows + 1);
  return BRINK_OK;
}

/* The programs by which relations and stairs are evaluated along the path. */
static brink_status switches(dae_build *b)
{
  dae_model *m = b->m;
  start_homotopy *l = m->homotopy;

  BRINK_TRY(DAE_TAKE(&m->pool, m->n_relations, &l->relation));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_stairs, &l->stair));
  for (size_t i = 0; i < m->n_relations; i++) {
    const brink__flat_relation *f = &b->forms->relations[i];
    brink__node g = brink__sub(b->graph, f->left, f->right);
    if (!g)
      return b->ctx->err.status;
    if (m->relations[i].timer < 0)
      BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, 1, &g, &l->relation[i]));
  }
  for (size_t i = 0; i < m->n_stairs; i++)
    BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, 1, &b->forms->stairs[i].arg,
                                 &l->stair[i]));
  return BRINK_OK;
}

/* Both sides of each condition of the start. */
static void sides_of(const dae_build *b, brink__node *out)
{
  const start_system *in = b->m->initial;

  for (size_t i = 0; i < in->n; i++) {
    const start_condition *c = &in->conditions[i];
    int equation = c->from == START_EQUATION;
    out[2 * i] = equation ? b->forms->initial[c->index].lhs : c->lhs;
    out[2 * i + 1] = equation ? b->forms->initial[c->index].rhs : c->rhs;
  }
}

static brink_status compile(dae_build *b)
{
  dae_model *m = b->m;
  brink__node *roots;
  int32_t *want;

  BRINK_TRY(brink__dae_incidence(b));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &b->solved));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &b->loops));
  BRINK_TRY(brink__dae_sort(b));
  BRINK_TRY(brink__dae_solve_alone(b, &b->flow));
  BRINK_TRY(brink__dae_solve_alone(b, &b->event));
  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * m->initial->n, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_unknowns, &want));
  sides_of(b, roots);
  for (size_t u = 0; u < b->n_unknowns; u++)
    want[u] = b->unknowns[u].symbol;
  BRINK_TRY(brink__start_program(b, b->n_unknowns, want, roots, &m->homotopy->program));
  BRINK_TRY(brink__dae_tape(b, m->initial->n_assigns, b->forms->assigns, NULL,
                            &m->homotopy->assign_tape));
  BRINK_TRY(unknowns(b, roots));
  return m->homotopy->used ? switches(b) : BRINK_OK;
}

brink_status brink__start_homotopy(dae_build *b)
{
  brink__row *rows = b->rows;

  if (b->flat->lambda == 0)
    return BRINK_OK;
  b->m->constants.v0[b->flat->lambda] = 1;
  for (size_t i = 0; i < b->n_rows; i++)
    b->forms->rows[i].unknown = rows[i].unknown;
  b->rows = b->forms->rows;
  brink_status rc = compile(b);
  b->rows = rows;
  return rc;
}
