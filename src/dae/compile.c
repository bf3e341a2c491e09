/* compile.c -- what every stage of compilation uses: memory, tapes, and sentences about
 * faults of the model.
 */
#include "dae/build.h"

#include <stdio.h>
#include <string.h>

void *brink__dae_take(brink__pool *pool, size_t n, size_t elem)
{
  void *p = n > SIZE_MAX / 4 / elem ? NULL : brink__pool_take(pool, n ? n * elem : 1);

  if (!p)
    brink__fail(&pool->ctx->err, BRINK_ENOMEM,
                "out of memory: %zu elements of %zu bytes", n, elem);
  return p;
}

brink_status brink__dae_take_ids(brink__pool *pool, size_t n, int32_t **out)
{
  BRINK_TRY(DAE_TAKE(pool, n, out));
  memset(*out, -1, n * sizeof **out);
  return BRINK_OK;
}

/* Hand on a sentence about a place of the model. */
static void report(dae_build *b, brink__place at, int is_warning, const char *fmt,
                   va_list args)
{
  brink_err err;

  brink__err_clear(&err);
  brink__failv(&err, BRINK_EMODEL, fmt, args);
  err.line = at.line;
  err.col = at.col;
  snprintf(err.file, sizeof err.file, "%s", b->flat->file ? b->flat->file : "");
  if (!is_warning && b->faults++ == 0)
    b->ctx->err = err;
  if (b->fault)
    b->fault(b->user, at, err.text, is_warning);
}

brink_status brink__dae_fault(dae_build *b, brink__place at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  report(b, at, 0, fmt, args);
  va_end(args);
  return BRINK_EMODEL;
}

void brink__dae_warn(dae_build *b, brink__place at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  report(b, at, 1, fmt, args);
  va_end(args);
}

brink_status brink__dae_tape(dae_build *b, size_t n, const brink__node *roots,
                             const int32_t *targets, brink__tape **out)
{
  dae_model *m = b->m;
  brink__tape_spec spec = {.n_roots = n,
                           .roots = roots,
                           .targets = targets,
                           .n_symbols = b->n_symbols + b->shift,
                           .fixed = b->fixed};

  *out = NULL;
  BRINK_TRY(brink__grow(b->ctx, (void **)&m->tapes, &m->cap_tapes, m->n_tapes + 1,
                        sizeof *m->tapes));
  BRINK_TRY(brink__tape_new(b->graph, &spec, out));
  m->tapes[m->n_tapes++] = *out;
  m->n_slots = brink__zmax(m->n_slots, brink__tape_slots(*out));
  return BRINK_OK;
}

/* ------------------------------------------------------------- symbols --- */

brink_status brink__dae_symbols(dae_build *b, size_t n, const brink__node *roots)
{
  b->list.n = 0;
  return brink__dae_walk_symbols(&b->walk, n, roots, &b->list);
}

brink_status brink__dae_is_fixed(dae_build *b, brink__node n, int with_time, int *yes)
{
  *yes = 1;
  BRINK_TRY(brink__dae_symbols(b, 1, &n));
  for (size_t i = 0; i < b->list.n; i++)
    *yes &= b->fixed[b->list.v[i]] || (with_time && b->list.v[i] == BRINK__TIME);
  return BRINK_OK;
}

int brink__dae_program_reads(const dae_build *b, const dae_program *p,
                             const unsigned char *mark)
{
  int found = 0;

  for (size_t k = 0; k < p->n_steps; k++) {
    size_t n;
    const int32_t *rows = brink__dae_rows_of(&p->steps[k], &n);
    for (size_t i = 0; i < n; i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        found |= mark[b->sym[e]];
  }
  return found;
}
