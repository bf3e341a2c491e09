/* rest_system.c -- the equations of a model at rest.
 *
 * The equations are taken as they are written, of whatever order and index: every
 * derivative is replaced by 0, a delayed value by the value itself, homotopy() by its
 * first argument, and parameters that depend on p by what they are defined to be.
 * Unknown is every continuous variable that is left in some equation; the others, as
 * parameters that initial equations have found, keep the values of the start.  All
 * derivatives of F are symbolic.
 */
#include "continuation/continuation.h"
#include "dae/build.h"

#include <math.h>

/* What exists only while the system is built. */
typedef struct builder {
  rest_system *s;
  brink_err *err;
  brink__graph *graph;
  size_t n_symbols;
  brink__node *by;         /* [n_symbols] what stands for a symbol at rest            */
  unsigned char *unknown;  /* [n_symbols] a continuous variable, at rest              */
  unsigned char *moves;    /* [n_symbols] one that occurs in an equation, or p        */
  unsigned char *discrete; /* [n_symbols] a discrete variable                         */
  int32_t *place;          /* [n_symbols] its column, -1: none                        */
} builder;

#define TAKE(n, p) DAE_TAKE(&b->s->pool, n, p)

static brink_status no_memory(const builder *b)
{
  return b->s->ctx->err.status < 0 ? b->s->ctx->err.status : BRINK_ENOMEM;
}

static brink_status rest(builder *b, size_t n, const brink__node *from, brink__node *to)
{
  return brink__substitute(b->graph, b->n_symbols, b->by, n, from, to);
}

/* Which marked symbols does the expression contain? */
static brink_status count_marked(builder *b, brink__node n, const unsigned char *mark,
                                 size_t *count)
{
  brink__pattern p;

  BRINK_TRY(brink__pattern_new(b->graph, 1, &n, b->n_symbols, mark, &p));
  *count = p.nnz;
  brink__pattern_drop(&p);
  return BRINK_OK;
}

/* --------------------------------------------------------- replacements --- */

/* Derivatives, and the hidden variables that stand for them, are 0. */
static brink_status still(builder *b)
{
  const brink__flat *f = &b->s->flat;
  brink__node zero = brink__real(b->graph, 0);

  if (!zero)
    return no_memory(b);
  for (size_t i = 0; i < b->n_symbols; i++)
    if (f->derivative[i] >= 0)
      b->by[i] = zero;
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].derivative_of)
      b->by[f->vars[i].value] = zero;
  if (f->lambda > 0 && !(b->by[f->lambda] = brink__real(b->graph, 1)))
    return no_memory(b);
  return BRINK_OK;
}

/* Parameters that depend on p: those with definitions, in order of evaluation.  One
 * that was set does not depend on anything. */
static brink_status parameters(builder *b)
{
  const dae_model *m = b->s->m;
  unsigned char *p;
  size_t reads;

  BRINK_TRY(TAKE(b->n_symbols, &p));
  p[b->s->p] = 1;
  for (size_t k = 0; k < m->n_definitions; k++) {
    const dae_definition *d = &m->definitions[k];
    const brink__flat_var *v = &b->s->flat.vars[d->index];
    if (d->kind != DAE_PARAMETER || !v->binding || v->value == b->s->p ||
        b->s->live->settings->set[v->value])
      continue;
    brink__node def;
    BRINK_TRY(rest(b, 1, &v->binding, &def));
    BRINK_TRY(count_marked(b, def, p, &reads));
    if (reads)
      b->by[v->value] = def;
  }
  return BRINK_OK;
}

/* delay(x, d) is x; delays of delays need as many passes as they are deep. */
static brink_status delays(builder *b)
{
  const brink__flat *f = &b->s->flat;

  for (size_t pass = 0; pass < f->n_delays; pass++)
    for (size_t i = 0; i < f->n_delays; i++)
      BRINK_TRY(rest(b, 1, &f->delays[i].arg, &b->by[f->delays[i].slot]));
  return BRINK_OK;
}

static brink_status replacements(builder *b)
{
  BRINK_TRY(TAKE(b->n_symbols, &b->by));
  BRINK_TRY(TAKE(b->n_symbols, &b->unknown));
  BRINK_TRY(TAKE(b->n_symbols, &b->moves));
  BRINK_TRY(TAKE(b->n_symbols, &b->discrete));
  BRINK_TRY(still(b));
  BRINK_TRY(parameters(b));
  BRINK_TRY(delays(b));
  for (size_t i = 0; i < b->s->flat.n_vars; i++) {
    const brink__flat_var *v = &b->s->flat.vars[i];
    b->unknown[v->value] = v->variability == BRINK__CONTINUOUS && !v->input &&
                           !v->inactive && !v->derivative_of && !v->found;
    b->discrete[v->value] = v->variability == BRINK__DISCRETE;
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------- equations --- */

/* An equation in which nothing is left to be found. */
static brink_status cannot_rest(builder *b, const brink__flat_eqn *e)
{
  char text[BRINK_ERR_TEXT / 2];
  brink__sentence s = {text, sizeof text, 0};
  brink__system sys = {.flat = &b->s->flat,
                       .pre = b->s->m->pre_symbol,
                       .fire = b->s->m->fire_symbol,
                       .v = b->s->live->v};

  brink__sentence_equation(&s, &sys, e->lhs, e->rhs, e->at.line);
  brink__fail(b->err, BRINK_EMODEL,
              "the model cannot rest: with all derivatives 0, %s contains no unknown",
              text);
  if (b->s->flat.file)
    brink__err_file(b->err, b->s->flat.file);
  b->err->line = e->at.line;
  return BRINK_EMODEL;
}

static int is_real(const builder *b, brink__node n)
{
  return brink__node_type(b->graph, n) == BRINK_TYPE_REAL;
}

/* Is it an equation between Reals that determines a continuous variable, or none? */
static brink_status is_row(builder *b, const brink__flat_eqn *e, brink__node residual,
                           size_t *unknowns, int *yes)
{
  size_t n = 0, m = 0;

  BRINK_TRY(count_marked(b, residual, b->unknown, unknowns));
  if (!*unknowns) {
    BRINK_TRY(count_marked(b, e->lhs, b->discrete, &n));
    BRINK_TRY(count_marked(b, e->rhs, b->discrete, &m));
  }
  *yes = *unknowns || n + m == 0;
  return BRINK_OK;
}

/* left - right at rest; BRINK__NONE: no equation between Reals. */
static brink_status residual_of(builder *b, const brink__flat_eqn *e, brink__node *out)
{
  brink__node sides[2];

  *out = BRINK__NONE;
  if (!is_real(b, e->lhs) && !is_real(b, e->rhs))
    return BRINK_OK;
  BRINK_TRY(rest(b, 2, (brink__node[]){e->lhs, e->rhs}, sides));
  *out = brink__sub(b->graph, sides[0], sides[1]);
  return *out ? BRINK_OK : no_memory(b);
}

/* An equation like der(x) = 0 says nothing at rest: x keeps the value of the start. */
static brink_status hold_still(builder *b)
{
  const brink__flat *f = &b->s->flat;

  for (size_t i = 0; i < f->n_natural; i++) {
    brink__node sides[2] = {f->natural[i].lhs, f->natural[i].rhs}, r;
    brink__pattern p;
    BRINK_TRY(residual_of(b, &f->natural[i], &r));
    if (!r || !brink__node_is(b->graph, r, 0))
      continue;
    BRINK_TRY(brink__pattern_new(b->graph, 2, sides, 0, NULL, &p));
    for (size_t k = 0; k < p.nnz; k++)
      if (f->derivative[p.col[k]] >= 0)
        b->unknown[f->vars[f->derivative[p.col[k]]].value] = 0;
    brink__pattern_drop(&p);
  }
  return BRINK_OK;
}

static brink_status take_rows(builder *b)
{
  rest_system *s = b->s;
  const brink__flat *f = &s->flat;

  BRINK_TRY(TAKE(f->n_natural + 1, &s->rows));
  BRINK_TRY(TAKE(f->n_natural + 1, &s->residual));
  for (size_t i = 0; i < f->n_natural; i++) {
    const brink__flat_eqn *e = &f->natural[i];
    brink__node r;
    size_t unknowns;
    int yes;
    BRINK_TRY(residual_of(b, e, &r));
    if (!r || brink__node_is(b->graph, r, 0))
      continue;
    BRINK_TRY(is_row(b, e, r, &unknowns, &yes));
    if (yes && !unknowns)
      return cannot_rest(b, e);
    if (!yes)
      continue;
    s->rows[s->n] = (brink__row){.lhs = e->lhs, .rhs = e->rhs, .at = e->at};
    s->residual[s->n++] = r;
  }
  return BRINK_OK;
}

/* The unknowns that are left in the equations; there must be as many. */
static brink_status take_unknowns(builder *b)
{
  rest_system *s = b->s;
  const brink__flat *f = &s->flat;
  brink__pattern p;
  size_t n = 0;

  BRINK_TRY(
      brink__pattern_new(b->graph, s->n, s->residual, b->n_symbols, b->unknown, &p));
  for (size_t k = 0; k < p.nnz; k++)
    b->moves[p.col[k]] = 1;
  brink__pattern_drop(&p);
  BRINK_TRY(TAKE(f->n_vars + 1, &s->unknown));
  BRINK_TRY(TAKE(f->n_vars + 1, &s->var));
  BRINK_TRY(brink__dae_take_ids(&s->pool, b->n_symbols, &b->place));
  for (size_t i = 0; i < f->n_vars; i++)
    if (b->moves[f->vars[i].value]) {
      b->place[f->vars[i].value] = (int32_t)n;
      s->var[n] = (int32_t)i;
      s->unknown[n++] = f->vars[i].value;
    }
  if (n == 0)
    return brink__fail(b->err, BRINK_EMODEL,
                       "the model has no equations that a curve could follow");
  if (n != s->n)
    return brink__fail(b->err, BRINK_EMODEL,
                       "the model does not rest at single points: with all derivatives "
                       "0 there are %zu equation%s for %zu unknown%s",
                       s->n, s->n == 1 ? "" : "s", n, n == 1 ? "" : "s");
  b->moves[s->p] = 1;
  b->place[s->p] = (int32_t)n;
  return BRINK_OK;
}

/* ----------------------------------------------------------------- tapes --- */

static brink_status tape(builder *b, size_t n, const brink__node *roots,
                         brink__tape **out)
{
  brink__tape_spec spec = {.n_roots = n, .roots = roots, .n_symbols = b->n_symbols};

  BRINK_TRY(brink__tape_new(b->graph, &spec, out));
  b->s->n_slots = brink__zmax(b->s->n_slots, brink__tape_slots(*out));
  return BRINK_OK;
}

/* The matrix: derivatives of F, in the last column by p, which is full (Newton's
 * homotopy), and the bordering row. */
static brink_status places(builder *b, const brink__pattern *p)
{
  rest_system *s = b->s;
  size_t k = 0;

  s->n_df = p->nnz;
  s->nnz = p->nnz;
  BRINK_TRY(TAKE(p->nnz + 2 * s->n + 1, &s->row));
  BRINK_TRY(TAKE(p->nnz + 2 * s->n + 1, &s->col));
  BRINK_TRY(TAKE(s->n, &s->by_p));
  for (size_t i = 0; i < s->n; i++) {
    s->by_p[i] = SIZE_MAX;
    for (; k < p->start[i + 1]; k++) {
      s->row[k] = (int32_t)i;
      s->col[k] = b->place[p->col[k]];
      if (p->col[k] == s->p)
        s->by_p[i] = k;
    }
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->by_p[i] == SIZE_MAX) {
      s->row[s->nnz] = (int32_t)i;
      s->col[s->nnz] = (int32_t)s->n;
      s->by_p[i] = s->nnz++;
    }
  s->border = s->nnz;
  for (size_t j = 0; j <= s->n; j++, s->nnz++) {
    s->row[s->nnz] = (int32_t)s->n;
    s->col[s->nnz] = (int32_t)j;
  }
  return brink__symbolic_new(&s->pool, s->n + 1, s->nnz, s->row, s->col, &s->pattern);
}

static brink_status jacobian(builder *b, const brink__pattern *p)
{
  rest_system *s = b->s;
  brink__node *entry;
  int reads_p = 0;

  for (size_t k = 0; k < p->nnz; k++)
    reads_p |= p->col[k] == s->p;
  if (!reads_p)
    return brink__fail(b->err, BRINK_EARG,
                       "no equation at rest depends on the parameter of the curve");
  BRINK_TRY(TAKE(p->nnz, &entry));
  BRINK_TRY(brink__jacobian(b->graph, p, s->residual, entry));
  BRINK_TRY(tape(b, p->nnz, entry, &s->jacobian));
  return places(b, p);
}

static brink_status functions(builder *b)
{
  rest_system *s = b->s;
  brink__pattern p;

  BRINK_TRY(tape(b, s->n, s->residual, &s->f));
  BRINK_TRY(
      brink__pattern_new(b->graph, s->n, s->residual, b->n_symbols, b->moves, &p));
  brink_status rc = jacobian(b, &p);
  brink__pattern_drop(&p);
  return rc;
}

/* -------------------------------------------------------------- switches --- */

/* Symbols that the equations and the discrete equations read. */
static brink_status mark_read(builder *b, unsigned char *read)
{
  const rest_system *s = b->s;
  brink__pattern p;

  BRINK_TRY(brink__pattern_new(b->graph, s->n, s->residual, 0, NULL, &p));
  for (size_t k = 0; k < p.nnz; k++)
    read[p.col[k]] = 1;
  brink__pattern_drop(&p);
  for (size_t i = 0; i < s->m->n_rows; i++) {
    if (s->m->rows[i].kind != BRINK__ROW_DISCRETE)
      continue;
    brink__node sides[2] = {s->m->rows[i].lhs, s->m->rows[i].rhs};
    BRINK_TRY(brink__pattern_new(b->graph, 2, sides, 0, NULL, &p));
    for (size_t k = 0; k < p.nnz; k++)
      read[p.col[k]] = 1;
    brink__pattern_drop(&p);
  }
  return BRINK_OK;
}

/* Discrete variables whose equations read more than what events change cannot be
 * followed. */
static brink_status check_discretes(builder *b, const unsigned char *read)
{
  const dae_model *m = b->s->m;

  for (size_t i = 0; !m->discrete_tape && i < m->n_discretes; i++)
    if (!m->discretes[i].assigned && read[m->discretes[i].value])
      return brink__fail(
          b->err, BRINK_EMODEL,
          "the discrete variable '%.80s' follows from continuous variables without "
          "events (noEvent?): a curve cannot tell where it changes",
          m->flat->vars[m->discretes[i].var].name);
  return BRINK_OK;
}

/* One guard, if it is read and moves along the curve. */
static brink_status take_guard(builder *b, const unsigned char *read, int32_t slot,
                               brink__node g, brink__node *out, int *taken)
{
  size_t moves;

  *taken = 0;
  if (!read[slot])
    return BRINK_OK;
  BRINK_TRY(rest(b, 1, &g, out));
  BRINK_TRY(count_marked(b, *out, b->moves, &moves));
  *taken = moves > 0;
  return BRINK_OK;
}

static brink_status switches(builder *b)
{
  rest_system *s = b->s;
  const dae_model *m = s->m;
  unsigned char *read;
  brink__node *g;
  int taken;

  BRINK_TRY(TAKE(b->n_symbols, &read));
  BRINK_TRY(TAKE(m->n_relations + m->n_stairs, &g));
  BRINK_TRY(TAKE(m->n_relations, &s->relation));
  BRINK_TRY(TAKE(m->n_stairs, &s->stair));
  BRINK_TRY(mark_read(b, read));
  BRINK_TRY(check_discretes(b, read));
  for (size_t i = 0; i < m->n_relations; i++) {
    BRINK_TRY(take_guard(b, read, m->relations[i].slot, m->relations[i].g,
                         &g[s->n_relations], &taken));
    if (taken)
      s->relation[s->n_relations++] = (int)i;
  }
  for (size_t i = 0; i < m->n_stairs; i++) {
    BRINK_TRY(take_guard(b, read, m->stairs[i].slot, m->stairs[i].arg,
                         &g[s->n_relations + s->n_stairs], &taken));
    if (taken)
      s->stair[s->n_stairs++] = (int)i;
  }
  return tape(b, s->n_relations + s->n_stairs, g, &s->guards);
}

/* ------------------------------------------------------------------- all --- */

static brink_status build(builder *b)
{
  BRINK_TRY(replacements(b));
  BRINK_TRY(hold_still(b));
  BRINK_TRY(take_rows(b));
  BRINK_TRY(take_unknowns(b));
  BRINK_TRY(functions(b));
  return switches(b);
}

brink_status brink__rest_system(brink_ctx *ctx, const dae_live *live, int32_t p,
                                rest_system *out, brink_err *err)
{
  builder b = {.s = out, .err = err, .n_symbols = live->m->n_symbols};

  *out = (rest_system){.ctx = ctx,
                       .pool = {.ctx = ctx},
                       .live = live,
                       .m = live->m,
                       .flat = *live->m->flat,
                       .p = p,
                       .n_slots = live->m->n_slots};
  out->flat.graph = NULL;
  brink_status rc = brink__graph_copy(ctx, live->m->flat->graph, &b.graph);
  out->flat.graph = b.graph;
  if (rc == BRINK_OK)
    rc = build(&b);
  if (rc < 0)
    brink__rest_system_drop(out);
  if (rc == BRINK_ENOMEM)
    brink__fail(err, rc, "no memory for the curve");
  return rc;
}

void brink__rest_system_drop(rest_system *s)
{
  brink__tape_free(s->f);
  brink__tape_free(s->jacobian);
  brink__tape_free(s->guards);
  brink__graph_free(s->flat.graph);
  brink__pool_drop(&s->pool);
  *s = (rest_system){.n = 0};
}
