/* structures.c -- brink/structure.h: the structural analysis of a flat model, mode by
 * mode, in memory of its own, since a model that is refused leaves nothing else. */
#include "dae/convert.h"
#include "machine/compile.h"
#include "machine/modes.h"
#include "machine/stages.h"

#include <string.h>

typedef struct structures {
  brink_structures face;
  brink__pool pool;
  brink_structure *v;
  int *numbers; /* [face.n] modes that are there already                            */
  double *held; /* [n_symbols] of the flat model: flags, parameters, active states  */
} structures;

/* ----------------------------------------------------------------- copies --- */

/* Copies of arrays in the pool; they are small, and each may fail. */
#define COPY(n, from, to) copy(pool, n, sizeof *(from), from, (const void **)(to))

static brink_status copy(brink__pool *pool, size_t n, size_t elem, const void *from,
                         const void **to)
{
  void *p = brink__dae_take(pool, n, elem);

  if (!p)
    return BRINK_ENOMEM;
  if (n)
    memcpy(p, from, n * elem);
  *to = p;
  return BRINK_OK;
}

static brink_status names(brink__pool *pool, const brink__flat *flat,
                          const dae_natural *n, brink_structure *s)
{
  const char **text;
  int *line;

  BRINK_TRY(DAE_TAKE(pool, s->n_variables, &text));
  BRINK_TRY(DAE_TAKE(pool, s->n_equations, &line));
  for (size_t j = 0; j < s->n_variables; j++) {
    const char *name = brink__dae_natural_name(n, flat, j);
    text[j] = brink__pool_str(pool, name, strlen(name));
    if (!text[j])
      return brink__fail(&pool->ctx->err, BRINK_ENOMEM, "out of memory: a name");
  }
  for (size_t i = 0; i < s->n_equations; i++)
    line[i] = flat->natural[n->eqn[i]].at.line;
  s->names = text;
  s->lines = line;
  return BRINK_OK;
}

static brink_status sentences(brink__pool *pool, const dae_natural *n,
                              brink_structure *s)
{
  const char **text;

  BRINK_TRY(DAE_TAKE(pool, n->n_conversions, &text));
  for (size_t i = 0; i <= n->n_conversions; i++) {
    const char *from = i < n->n_conversions ? n->conversions[i] : n->unconverted;
    const char *to = from ? brink__pool_str(pool, from, strlen(from)) : NULL;
    if (from && !to)
      return brink__fail(&pool->ctx->err, BRINK_ENOMEM, "out of memory: a sentence");
    if (i < n->n_conversions)
      text[i] = to;
    else
      s->unconverted = to;
  }
  s->n_conversions = n->n_conversions;
  s->conversions = text;
  return BRINK_OK;
}

static brink_status matrix(brink__pool *pool, const dae_natural *n, brink_structure *s)
{
  const brink__sigma *m = &n->signature.sigma;
  const brink__analysis *a = &n->analysis;
  size_t nnz = m->start[m->n_rows];

  BRINK_TRY(COPY(m->n_rows + 1, m->start, &s->start));
  BRINK_TRY(COPY(nnz, m->col, &s->variable));
  BRINK_TRY(COPY(nnz, m->order, &s->order));
  BRINK_TRY(COPY(m->n_rows, a->col_of, &s->transversal));
  if (!a->singular)
    return BRINK_OK;
  BRINK_TRY(COPY(m->n_rows, a->excess.over, &s->over));
  BRINK_TRY(COPY(m->n_rows, a->excess.loose, &s->loose));
  BRINK_TRY(COPY(m->n_cols, a->excess.bound, &s->bound));
  return COPY(m->n_cols, a->excess.under, &s->under);
}

static brink_status results(brink__pool *pool, const dae_natural *n, brink_structure *s)
{
  const brink__analysis *a = &n->analysis;
  int *initial;

  BRINK_TRY(COPY(a->n_rows, a->c, &s->c));
  BRINK_TRY(COPY(a->n_cols, a->d, &s->d));
  BRINK_TRY(COPY(a->n_rows, n->linear, &s->linear));
  BRINK_TRY(COPY(a->blocks.count + 1, a->blocks.first, &s->block));
  BRINK_TRY(COPY(a->n_rows, a->blocks.order, &s->block_equation));
  BRINK_TRY(DAE_TAKE(pool, a->n_cols, &initial));
  for (size_t j = 0; j < a->n_cols; j++)
    initial[j] = dae_natural_initial(n, j);
  s->initial = initial;
  s->n_blocks = a->blocks.count;
  s->index = a->index;
  s->degrees = (int)a->dof;
  s->quasilinear = n->quasilinear;
  return BRINK_OK;
}
#undef COPY

/* ------------------------------------------------------------------ modes --- */

/* Analyse one flat model and append the result; mode: its name. */
static brink_status append(structures *all, const brink__flat *flat, const double *held,
                           const char *mode)
{
  brink__pool *pool = &all->pool;
  brink_structure *s = &all->v[all->face.n];
  dae_natural n;

  BRINK_TRY(brink__dae_natural_new(pool->ctx, flat, held, &n));
  brink_status rc = brink__dae_convert(pool->ctx, flat, &n);
  *s = (brink_structure){.mode = mode,
                         .n_equations = n.system.n_rows,
                         .n_variables = n.system.n_cols,
                         .singular = n.analysis.singular};
  if (rc == BRINK_OK)
    rc = names(pool, flat, &n, s);
  if (rc == BRINK_OK)
    rc = sentences(pool, &n, s);
  if (rc == BRINK_OK)
    rc = matrix(pool, &n, s);
  if (rc == BRINK_OK && !s->singular)
    rc = results(pool, &n, s);
  all->face.n += rc == BRINK_OK;
  brink__dae_natural_drop(&n);
  return rc;
}

static brink_status one_mode(modes_model *m, const int *state, void *user)
{
  structures *all = user;
  int number = brink__modes_number(m, state);
  mode_part part;
  brink__flat *view;

  for (size_t i = 0; i < all->face.n; i++)
    if (all->numbers[i] == number)
      return BRINK_OK;
  const char *name = brink__modes_name(&all->pool, m->flat, state);
  if (!name)
    return brink__fail(&all->pool.ctx->err, BRINK_ENOMEM,
                       "out of memory while naming a mode");
  all->numbers[all->face.n] = number;
  for (size_t i = 0; i < m->flat->n_states; i++)
    all->held[m->flat->states[i].active] = 0;
  for (size_t k = 0; k < m->flat->n_machines; k++)
    if (state[k] >= 0)
      all->held[m->flat->states[state[k]].active] = 1;
  BRINK_TRY(brink__modes_equations(all->pool.ctx, m->flat, state, &part, &view));
  brink_status rc = append(all, view, all->held, name);
  brink__flat_free(view);
  return rc;
}

static brink_status each_mode(structures *all, brink__flat *flat)
{
  modes_model m = {
      .base = {.ctx = all->pool.ctx}, .pool = {.ctx = all->pool.ctx}, .flat = flat};
  brink_status rc = brink__modes_count(&m, NULL, NULL);

  if (rc == BRINK_OK)
    rc = DAE_TAKE(&all->pool, (size_t)brink__modes_first(&m), &all->v);
  if (rc == BRINK_OK)
    rc = DAE_TAKE(&all->pool, (size_t)brink__modes_first(&m), &all->numbers);
  if (rc == BRINK_OK)
    rc = brink__modes_each_first(&m, one_mode, all);
  brink__pool_drop(&m.pool);
  return rc == BRINK_EMODEL ? BRINK_OK
                            : rc; /* too many to be numbered: compiling says so */
}

static brink_status fill(structures *all, brink__flat *flat)
{
  BRINK_TRY(DAE_TAKE(&all->pool, (size_t)flat->n_symbols, &all->held));
  brink__dae_hold_run(flat, all->held);
  BRINK_TRY(brink__dae_hold_parameters(all->pool.ctx, flat, all->held));
  if (flat->n_machines)
    return each_mode(all, flat);
  BRINK_TRY(DAE_TAKE(&all->pool, 1, &all->v));
  return append(all, flat, all->held, "");
}

brink_status brink__machine_structures(brink_ctx *ctx, brink__flat *flat,
                                       brink_structures **out)
{
  brink__pool pool = {.ctx = ctx};
  structures *all;

  *out = NULL;
  BRINK_TRY(DAE_TAKE(&pool, 1, &all));
  all->pool = pool;
  brink_status rc = fill(all, flat);
  all->face.v = all->v;
  if (rc < 0)
    brink_structures_free(&all->face);
  else
    *out = &all->face;
  return rc;
}

/* -------------------------------------------------------------- one mode --- */

/* A mode of a built model. */
typedef struct asked {
  const brink_model *model;
  brink__flat flat; /* that of the model, with a graph of its own                     */
  const int32_t *symbol; /* [n_branches]                                              */
  const double *branches;
  int mode;
} asked;

static void hold_branches(const asked *a, double *held)
{
  const brink__flat *f = &a->flat;

  for (size_t i = 0; a->branches && i < a->model->anatomy.n_branches; i++)
    held[a->symbol[i]] = a->branches[i];
  for (size_t i = 0; i < f->n_vars; i++) /* between events they are the same */
    if (f->vars[i].pre >= 0 && f->vars[i].variability == BRINK__DISCRETE)
      held[f->vars[i].pre] = held[f->vars[i].value];
}

/* Machines that are switches have no equations of their own: the branches say it all.
 */
static brink_status fill_mode(structures *all, asked *a)
{
  brink__flat *f = &a->flat;
  int *state;

  BRINK_TRY(DAE_TAKE(&all->pool, (size_t)f->n_symbols, &all->held));
  BRINK_TRY(DAE_TAKE(&all->pool, 1, &all->v));
  BRINK_TRY(DAE_TAKE(&all->pool, 1, &all->numbers));
  BRINK_TRY(DAE_TAKE(&all->pool, f->n_machines, &state));
  brink__dae_hold_run(f, all->held);
  BRINK_TRY(brink__dae_hold_parameters(all->pool.ctx, f, all->held));
  hold_branches(a, all->held);
  if (!f->n_machines || f->n_switches)
    return append(all, f, all->held, "");
  modes_model of = *modes_of(a->model);
  of.flat = f;
  brink__modes_states(&of, a->mode, state);
  return one_mode(&of, state, all);
}

/* A copy of the flat model of a built model, whose graph may grow. */
static brink_status ask(brink_ctx *ctx, asked *a)
{
  const brink_model *model = a->model;
  const brink__flat *flat = model->ops == &brink__modes_ops ? modes_of(model)->flat
                            : model->ops == &brink__equations_ops ? dae_of(model)->flat
                                                                  : NULL;

  if (!flat)
    return brink__fail(&ctx->err, BRINK_EARG,
                       "only the equations of a text have a structure");
  if (a->mode < 0 || a->mode >= model->n_modes)
    return brink__fail(&ctx->err, BRINK_EARG, "there is no mode %d; the model has %d",
                       a->mode, model->n_modes);
  a->symbol = model->ops == &brink__modes_ops ? modes_of(model)->branch_symbol
                                              : dae_of(model)->branch_symbol;
  a->flat = *flat;
  a->flat.graph = NULL;
  return brink__graph_copy(ctx, flat->graph, &a->flat.graph);
}

brink_status brink_model_structure(brink_ctx *ctx, const brink_model *model, int mode,
                                   const double *branches, brink_structures **out)
{
  asked a = {.model = model, .branches = branches, .mode = mode};
  brink__pool pool = {.ctx = ctx};
  structures *all;

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  BRINK__NEED(&ctx->err, model);
  BRINK_TRY(ask(ctx, &a));
  brink_status rc = DAE_TAKE(&pool, 1, &all);
  if (rc == BRINK_OK) {
    all->pool = pool;
    rc = fill_mode(all, &a);
    all->face.v = all->v;
    if (rc < 0)
      brink_structures_free(&all->face);
    else
      *out = &all->face;
  }
  brink__graph_free(a.flat.graph);
  return rc;
}

void brink_structures_free(brink_structures *all)
{
  if (!all)
    return;
  brink__pool pool = ((structures *)(void *)all)->pool; /* it lives in its pool */
  brink__pool_drop(&pool);
}
