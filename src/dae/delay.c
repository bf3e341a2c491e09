/* delay.c -- compiling delay(x, d): the program of what is delayed, the points at which
 * it is sampled (history.c), and how often an event comes back.
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
  size_t bad;

  BRINK_TRY(is_constant(b, f, &constant, &by_states));
  *d = (dae_delay){.slot = f->slot, .by = -1, .timed = !constant && !by_states};
  brink__node most = constant ? f->by : f->most;
  brink_status rc = brink__dae_numbers(b, 1, &most, &d->most, &bad);
  if (rc == BRINK_ENOMEM)
    return rc;
  if (rc < 0 || !(d->most > 0) || !isfinite(d->most))
    return brink__dae_fault(b, f->at, "the delay in %.80s must be positive", f->text);
  if (constant) {
    double *h = &b->m->base.h_max;
    d->by = d->most;
    *h = *h > 0 ? brink__min(*h, d->by) : d->by;
  }
  return BRINK_OK;
}

/* How many different delays are there through which an event comes back? */
static int lengths(const dae_build *b)
{
  const dae_model *m = b->m;
  int n = 0;

  for (size_t i = 0; i < m->n_delays; i++) {
    int new = (m->delays[i].by > 0 || m->delays[i].timed) && !b->flat->delays[i].unread;
    for (size_t k = 0; k < i && new && m->delays[i].by > 0; k++)
      new = m->delays[k].by != m->delays[i].by || b->flat->delays[k].unread;
    n += new;
  }
  return n;
}

/* How often an event comes back through the delays.  Each integration makes the jump
 * smoother, so that DAE_ECHOES times are enough.  An expression that contains a delay
 * is not smoothed; with several delays the times are sums of all of them, and their
 * number is kept small. */
static brink_status echoes(dae_build *b, const brink__node *roots)
{
  dae_model *m = b->m;
  int through = brink__dae_program_reads(b, &m->delayed, b->delayed), n = lengths(b);

  BRINK_TRY(brink__dae_symbols(b, m->n_delays, roots));
  for (size_t i = 0; i < b->list.n; i++)
    through |= b->delayed[b->list.v[i]];
  m->nested = through;
  m->echoes = n <= 1 ? DAE_ECHOES : n == 2 ? DAE_ECHOES / 2 : 1;
  if (through)
    m->echoes = n <= 2 ? DAE_ENDLESS : 2 * DAE_ECHOES;
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
    m->moving |= m->delays[i].by < 0;
  }
  m->n_delays = f->n_delays;
  m->base.remembers = 1;
  points(m);
  BRINK_TRY(brink__dae_tape(b, f->n_delays, by, NULL, &m->by_tape));
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, f->n_delays, roots, &m->delayed));
  return echoes(b, roots);
}
