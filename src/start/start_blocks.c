/* start_blocks.c -- the independent parts of the start.
 *
 * Conditions belong together if they depend on a common unknown, directly or through
 * the equations of the run.  Each block is solved on its own, with a matrix of its own,
 * so that room and time are linear in the number of equal blocks; and one direction of
 * the unknowns gives a column of the matrix of every block.
 *
 * The parts are found by union-find over the symbols whose values depend on the
 * unknowns, and the conditions.  A model with homotopy() is one block: its equations
 * with lambda read more than those of the run.
 */
#include "start/build.h"

#include <string.h>

typedef struct parter {
  dae_build *b;
  int32_t *part;        /* [symbols + conditions] union-find                          */
  unsigned char *moves; /* [symbols] its value depends on unknowns of the start */
  int changed;          /* a symbol was found to move                                 */
} parter;

static int32_t find(int32_t *part, int32_t i)
{
  while (part[i] != i)
    i = part[i] = part[part[i]];
  return i;
}

static void join(parter *p, int32_t a, int32_t b)
{
  p->part[find(p->part, b)] = find(p->part, a);
}

static void set_moving(parter *p, int32_t symbol)
{
  p->changed |= !p->moves[symbol];
  p->moves[symbol] = 1;
}

/* What moves in an equation belongs together, and with its target. */
static void join_row(parter *p, int32_t row, int32_t target)
{
  const dae_build *b = p->b;

  for (size_t e = b->sym_start[row]; e < b->sym_start[row + 1]; e++)
    if (p->moves[b->sym[e]]) {
      set_moving(p, target);
      join(p, target, b->sym[e]);
    }
}

static void join_loop(parter *p, const dae_loop *loop)
{
  for (size_t i = 0; i < loop->n_rows; i++)
    join_row(p, loop->row[i], loop->symbol[0]);
  for (size_t i = 1; i < loop->n_rows && p->moves[loop->symbol[0]]; i++) {
    set_moving(p, loop->symbol[i]);
    join(p, loop->symbol[0], loop->symbol[i]);
  }
}

static void join_program(parter *p)
{
  const dae_model *m = p->b->m;
  const dae_program *prog = &m->initial->program;

  for (size_t k = 0; k < prog->n_steps; k++) {
    const dae_step *s = &prog->steps[k];
    if (s->loop)
      join_loop(p, s->loop);
    for (size_t i = 0; !s->loop && i < s->n_rows; i++)
      join_row(p, s->row[i], brink__dae_target(s, i));
  }
  for (size_t i = 0; i < m->n_lefts; i++)
    if (p->moves[m->lefts[i].value]) {
      set_moving(p, m->lefts[i].pre);
      join(p, m->lefts[i].value, m->lefts[i].pre);
    }
}

static brink_status join_conditions(parter *p, const brink__node *roots)
{
  dae_build *b = p->b;
  const start_system *in = b->m->initial;

  for (size_t i = 0; i < in->n; i++) {
    int32_t self = (int32_t)(b->n_symbols + i);
    BRINK_TRY(brink__dae_symbols(b, 2, &roots[2 * i]));
    for (size_t k = 0; k < b->list.n; k++)
      if (p->moves[b->list.v[k]])
        join(p, self, b->list.v[k]);
    if (b->flat->lambda && in->n_searched)
      join(p, self, in->unknowns[0].symbol);
  }
  return BRINK_OK;
}

/* Number the parts, those of conditions first, and count their members. */
static size_t number(parter *p, int32_t *block)
{
  const start_system *in = p->b->m->initial;
  size_t n = 0;

  for (size_t i = 0; i < in->n; i++) {
    int32_t *of = &block[find(p->part, (int32_t)(p->b->n_symbols + i))];
    *of = *of < 0 ? (int32_t)n++ : *of;
    in->blocks[*of].n_conditions++;
  }
  for (size_t j = 0; j < in->n_searched; j++) {
    int32_t *of = &block[find(p->part, in->unknowns[j].symbol)];
    *of = *of < 0 ? (int32_t)n++ : *of;
    in->blocks[*of].n_unknowns++;
  }
  return n;
}

/* The members of the blocks, in their old order. */
static void fill(parter *p, const int32_t *block)
{
  start_system *in = p->b->m->initial;
  size_t rows = 0, cols = 0;

  for (size_t k = 0; k < in->n_blocks; k++) {
    start_block *b = &in->blocks[k];
    b->first_condition = rows;
    b->first_unknown = cols;
    rows += b->n_conditions;
    cols += b->n_unknowns;
    b->n_conditions = b->n_unknowns = 0;
  }
  for (size_t i = 0; i < in->n; i++) {
    int32_t k = block[find(p->part, (int32_t)(p->b->n_symbols + i))];
    start_block *b = &in->blocks[k];
    in->block_condition[b->first_condition + b->n_conditions++] = (int32_t)i;
    in->conditions[i].block = k;
  }
  for (size_t j = 0; j < in->n_searched; j++) {
    start_block *b = &in->blocks[block[find(p->part, in->unknowns[j].symbol)]];
    in->block_unknown[b->first_unknown + b->n_unknowns++] = (int32_t)j;
  }
}

static brink_status divide(parter *p)
{
  dae_build *b = p->b;
  start_system *in = b->m->initial;
  int32_t *block;

  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols + in->n, &block));
  BRINK_TRY(DAE_TAKE(&b->m->pool, in->n + in->n_searched, &in->blocks));
  BRINK_TRY(DAE_TAKE(&b->m->pool, in->n, &in->block_condition));
  BRINK_TRY(DAE_TAKE(&b->m->pool, in->n_searched, &in->block_unknown));
  in->n_blocks = number(p, block);
  fill(p, block);
  return BRINK_OK;
}

brink_status brink__start_blocks(dae_build *b, const brink__node *roots)
{
  start_system *in = b->m->initial;
  parter p = {.b = b};

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols + in->n, &p.part));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &p.moves));
  for (size_t i = 0; i < b->n_symbols + in->n; i++)
    p.part[i] = (int32_t)i;
  for (size_t j = 0; j < in->n_searched; j++) {
    p.moves[in->unknowns[j].symbol] = 1;
    if (in->unknowns[j].left >= 0) {
      p.moves[in->unknowns[j].left] = 1;
      join(&p, in->unknowns[j].symbol, in->unknowns[j].left);
    }
    if (b->flat->lambda)
      join(&p, in->unknowns[0].symbol, in->unknowns[j].symbol);
  }
  do { /* again where a value is read before it is computed: pre() of a variable */
    p.changed = 0;
    join_program(&p);
  } while (p.changed && b->m->n_lefts);
  BRINK_TRY(join_conditions(&p, roots));
  return divide(&p);
}
