/* delay.c -- compiling delay(x, d): the program of what is delayed, the points at which
 * it is sampled (history.c).
 */
#include "dae/build.h"

/* *yes: the delay is made of parameters.  *by_states: it depends on states. */
static brink_status is_constant(dae_build *b, const brink__flat_delay *f, int *yes,
                                int *by_states)
{
  *yes = 1;
  *by_states = 0;
  BRINK_TRY(brink__dae_symbols(b, 1, &f->by));
  for (size_t i = 0; i < b->list.n; i++) {
    int32_t s = b->list.v[i];
    *yes &= b->constant[s];
    *by_states |= b->state_of[s] >= 0;
    if (s != BRINK__TIME && b->state_of[s] < 0 && !b->fixed[s])
      return brink__dae_fault(b, f->at,
                              "the delay in %.80s may depend on time, on states and on "
                              "what changes at events, not on other variables",
                              f->text);
  }
  return BRINK_OK;
}

static brink_status one(dae_build *b, const brink__flat_delay *f, dae_delay *d)
{
  int constant, by_states;

  BRINK_TRY(is_constant(b, f, &constant, &by_states));
  *d = (dae_delay){
      .slot = f->slot, .constant = constant, .timed = !constant && !by_states};
  return brink__dae_must_define(b, DAE_LONGEST_DELAY, (int)(d - b->m->delays),
                                constant ? f->by : f->most);
}

/* Does a delayed expression contain a delay? */
static brink_status nested(dae_build *b, const brink__node *roots)
{
  dae_model *m = b->m;
  int through = brink__dae_program_reads(b, &m->delayed, b->delayed);

  BRINK_TRY(brink__dae_symbols(b, m->n_delays, roots));
  for (size_t i = 0; i < b->list.n; i++)
    through |= b->delayed[b->list.v[i]];
  m->nested = through;
  return BRINK_OK;
}

/* The Chebyshev points in [0, 1], and the rows of the differentiation matrix
 * [BT04, 9.3] and of its square that give the derivatives at the last point. */
static void points(dae_model *m)
{
  const double pi = 3.14159265358979323846;
  double d[DAE_NODES][DAE_NODES] = {{0}}, w[DAE_NODES];
  int last = DAE_NODES - 1;

  for (int j = 0; j < DAE_NODES; j++) {
    m->node[j] = (1 - cos(pi * j / last)) / 2;
    w[j] = (j % 2 ? -1.0 : 1.0) * (j == 0 || j == last ? 0.5 : 1);
  }
  for (int i = 0; i < DAE_NODES; i++)
    for (int j = 0; j < DAE_NODES; j++)
      if (i != j) {
        d[i][j] = w[j] / w[i] / (m->node[i] - m->node[j]);
        d[i][i] -= d[i][j];
      }
  for (int j = 0; j < DAE_NODES; j++) {
    m->slope[j] = d[last][j];
    m->bend[j] = 0;
    for (int k = 0; k < DAE_NODES; k++)
      m->bend[j] += d[last][k] * d[k][j];
  }
}

brink_status brink__dae_delays(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  brink__node *roots, *by;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_delays, &m->delays));
  if (f->n_delays == 0)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_delays, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_delays, &by));
  for (size_t i = 0; i < f->n_delays; i++) {
    BRINK_TRY(one(b, &f->delays[i], &m->delays[i]));
    roots[i] = f->delays[i].arg;
    by[i] = f->delays[i].by;
    b->delayed[f->delays[i].slot] = 1;
    m->moving |= !m->delays[i].constant;
  }
  m->n_delays = f->n_delays;
  m->base.remembers = (int)f->n_delays;
  points(m);
  BRINK_TRY(brink__dae_tape(b, f->n_delays, by, NULL, &m->by_tape));
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, f->n_delays, roots, &m->delayed));
  return nested(b, roots);
}
