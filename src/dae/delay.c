/* delay.c -- delay(x, d): what x was d ago.
 *
 * While the run goes on, every delayed expression is sampled at the Chebyshev points
 * of each accepted step; in between it is the interpolating polynomial (barycentric
 * formula [BT04]).  A constant delay limits the step, so that what is asked for has
 * always been recorded; where a delay moves, a step that would look into itself is
 * refused and tried shorter.  Events come back: at t + d a step ends and another one
 * begins, DAE_ECHOES times over, since each integration makes them smoother
 * [HNW93, II.17].
 *
 * At the time of an event a value has two limits.  The stretch that ends there reads
 * the left one, the stretch that begins there the right one.
 *
 * With machines, one memory serves all combinations of states (modes.h), and in each all
 * delayed expressions are recorded: variables of states that sleep as they are kept.
 *
 * Limits: DAE_PIECES steps are remembered; der() does not look through delay().
 */
#include "dae/build.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* times this close are one time */
static double slack_at(double t) { return 16 * DBL_EPSILON * fabs(t); }

/* below this part of the longest delay a moving one may look ahead a little */
static const double AT_ONCE = 1e-3;

/* ------------------------------------------------------------- compiling --- */

static brink_status is_constant(dae_build *b, const brink__flat_delay *f, int *yes)
{
  *yes = 1;
  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, 1, &f->by, &b->list));
  for (size_t i = 0; i < b->list.n; i++) {
    int32_t s = b->list.v[i];
    *yes &= b->constant[s];
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
  int constant;
  size_t bad;

  BRINK_TRY(is_constant(b, f, &constant));
  *d = (dae_delay){.slot = f->slot, .by = -1};
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

/* How many delays of different length send events back. */
static int lengths(const dae_build *b)
{
  const dae_model *m = b->m;
  int n = 0;

  for (size_t i = 0; i < m->n_delays; i++) {
    int new = m->delays[i].by > 0 && !b->flat->delays[i].unread;
    for (size_t k = 0; k < i && new; k++)
      new = m->delays[k].by != m->delays[i].by || b->flat->delays[k].unread;
    n += new;
  }
  return n;
}

/* How often an event comes back.  Where a delayed expression contains a delay, nothing
 * makes it smoother; several lengths make sums of sums, so that fewer must do. */
static brink_status echoes(dae_build *b, const brink__node *roots)
{
  dae_model *m = b->m;
  int through = 0, n = lengths(b);

  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, m->n_delays, roots, &b->list));
  for (size_t k = 0; k < m->delayed.n_steps; k++) {
    const dae_step *s = &m->delayed.steps[k];
    const int32_t *rows = s->loop ? s->loop->row : s->row;
    for (size_t i = 0; i < (s->loop ? s->loop->n : s->n_rows); i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        through |= b->delayed[b->sym[e]];
  }
  for (size_t i = 0; i < b->list.n; i++)
    through |= b->delayed[b->list.v[i]];
  m->echoes = n <= 1 ? DAE_ECHOES : n == 2 ? DAE_ECHOES / 2 : 1;
  if (through)
    m->echoes = n <= 2 ? DAE_ENDLESS : 2 * DAE_ECHOES;
  return BRINK_OK;
}

brink_status brink__dae_delays(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  brink__node *roots, *by;
  const double pi = 3.14159265358979323846;

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
  }
  m->n_delays = f->n_delays;
  for (int j = 0; j < DAE_NODES; j++)
    m->node[j] = (1 - cos(pi * j / (DAE_NODES - 1))) / 2;
  BRINK_TRY(brink__dae_tape(b, f->n_delays, by, NULL, &m->by_tape));
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, f->n_delays, roots, &m->delayed));
  return echoes(b, roots);
}

/* -------------------------------------------------------------- reading ---- */

static const double *piece_time(const brink__live *live, size_t k)
{
  return live->memory->piece_t + 2 * (k % DAE_PIECES);
}

static const double *piece_value(const brink__live *live, size_t k, size_t i)
{
  return live->memory->piece_v +
         ((k % DAE_PIECES) * live->m->n_delays + i) * (size_t)DAE_NODES;
}

/* Interpolation in the Chebyshev points: weights 1/2, -1, 1, ..., +-1/2. */
static double interpolate(const dae_model *m, const double *v, double x)
{
  double above = 0, below = 0;
  int level = 1;

  for (int j = 1; j < DAE_NODES; j++)
    level &= v[j] == v[0];
  if (level)
    return v[0]; /* exactly: integer(delay(n, d)) must not see its rounding */
  for (int j = 0; j < DAE_NODES; j++) {
    double gap = x - m->node[j];
    if (gap == 0)
      return v[j];
    double w = (j % 2 ? -1.0 : 1.0) * (j == 0 || j == DAE_NODES - 1 ? 0.5 : 1) / gap;
    above += w * v[j];
    below += w;
  }
  return above / below + 0.0; /* 0, not -0 */
}

/* The first piece that ends at or behind tau; on a seam the earlier one, or (right)
 * the later one. */
static size_t piece_of(const brink__live *live, double tau, double slack, int right)
{
  const dae_memory *mem = live->memory;
  size_t lo = mem->n_pieces > DAE_PIECES ? mem->n_pieces - DAE_PIECES : 0,
         hi = mem->n_pieces;

  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    double end = piece_time(live, mid)[1];
    if (right ? end > tau + slack : end >= tau - slack)
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo;
}

/* Expression i as it was at tau.  0: that is not known, or lies ahead. */
static int was(const brink__live *live, size_t i, double t, double tau, double *out)
{
  const dae_model *m = live->m;
  const dae_memory *mem = live->memory;
  double slack = slack_at(t);
  int right = t <= mem->segment + slack;
  size_t oldest = mem->n_pieces > DAE_PIECES ? mem->n_pieces - DAE_PIECES : 0;

  *out = mem->before[i];
  if (mem->n_pieces == 0 || tau < mem->begin - slack ||
      (!right && tau <= mem->begin + slack))
    return 1;
  size_t k = piece_of(live, tau, slack, right);
  if (k == mem->n_pieces) { /* at the end of what is known, or ahead of it */
    const double *p = piece_time(live, k - 1);
    double ahead = tau - p[1];
    const double *v = piece_value(live, k - 1, i);
    *out = v[DAE_NODES - 1];
    if (ahead <= slack)
      return 1;
    double slope = (v[DAE_NODES - 1] - v[DAE_NODES - 2]) /
                   ((m->node[DAE_NODES - 1] - m->node[DAE_NODES - 2]) * (p[1] - p[0]));
    *out += slope * ahead;
    return m->delays[i].by < 0 && t - tau <= AT_ONCE * m->delays[i].most;
  }
  const double *p = piece_time(live, k);
  if (k == oldest && oldest > 0 && tau < p[0] - slack)
    return 0;
  double x = (tau - p[0]) / (p[1] - p[0]);
  *out = interpolate(m, piece_value(live, k, i), x < 0 ? 0 : x > 1 ? 1 : x);
  return 1;
}

brink_status brink__dae_delay(brink__live *live, double t, const double *y)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = y[i];
  if (brink__tape_values(m->by_tape, live->v, NULL) < 0)
    return BRINK_EDOMAIN;
  for (size_t i = 0; i < m->n_delays; i++) {
    const dae_delay *d = &m->delays[i];
    double by = d->by;
    if (by < 0) {
      by = live->v[brink__tape_slot(m->by_tape, i)];
      by = by > d->most ? d->most : by > 0 ? by : 0;
    }
    if (!was(live, i, t, t - by, &live->v[d->slot])) {
      live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_DELAY, (int)i};
      return BRINK_EDOMAIN;
    }
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------ remembering --- */

static double root(const brink__live *live, size_t i)
{
  const dae_program *p = &live->m->delayed;
  const brink__tape *last = p->steps[p->n_steps - 1].tape;

  return live
      ->v[brink__tape_slot(last, brink__tape_n_roots(last) - live->m->n_delays + i)];
}

void brink__dae_record(const brink_model *model, brink__live *live, int mode,
                       const brink_step *step, double begin, double end, double t_end)
{
  const dae_model *m = dae_of(model);
  dae_memory *mem = live->memory;
  double from = step->t0 + begin * step->h;
  size_t k = mem->n_pieces % DAE_PIECES;

  (void)mode;
  if (m->n_delays == 0 || !(t_end > from))
    return;
  for (int j = 0; j < DAE_NODES; j++) {
    double theta = begin + m->node[j] * (end - begin);
    brink_step_at(step, theta, live->y);
    int known = brink__dae_run(live, &m->delayed, from + m->node[j] * (t_end - from),
                               live->y) == BRINK_OK;
    for (size_t i = 0; i < m->n_delays; i++) {
      double *v = mem->piece_v + (k * m->n_delays + i) * (size_t)DAE_NODES;
      v[j] = known ? root(live, i) : j > 0 ? v[j - 1] : mem->before[i];
    }
  }
  mem->piece_t[2 * k] = from;
  mem->piece_t[2 * k + 1] = t_end;
  mem->n_pieces++;
}

int brink__dae_remember_start(brink__live *live, double t, const double *y)
{
  const dae_model *m = live->m;
  dae_memory *mem = live->memory;
  int same = 1;

  mem->begin = mem->segment = t;
  mem->n_pieces = mem->n_broken = 0;
  brink__dae_break(live, t, 1);
  if (brink__dae_run(live, &m->delayed, t, y) < 0)
    return 1;
  for (size_t i = 0; i < m->n_delays; i++) {
    double now = root(live, i);
    same &= fabs(now - mem->before[i]) <= 4 * DBL_EPSILON * (1 + fabs(now));
    mem->before[i] = now;
  }
  return same;
}

/* --------------------------------------------------------------- echoes ---- */

double brink__dae_echo(const brink__live *live, int i, double t)
{
  const dae_memory *mem = live->memory;
  double d = live->m->delays[i].by, first = HUGE_VAL;

  for (size_t k = 0; k < mem->n_broken; k++)
    if (mem->broke_by[k] < live->m->echoes && mem->broke_t[k] + d > t + slack_at(t))
      first = brink__min(first, mem->broke_t[k] + d);
  return first;
}

/* How often the event that comes back at t has come back before. */
static unsigned char echoes_at(const brink__live *live, double t)
{
  const dae_memory *mem = live->memory;
  unsigned char least = DAE_ENDLESS - 1;

  for (size_t k = 0; k < mem->n_broken; k++)
    for (size_t i = 0; i < live->m->n_delays; i++)
      if (live->m->delays[i].by > 0 && mem->broke_by[k] < least &&
          fabs(mem->broke_t[k] + live->m->delays[i].by - t) <= slack_at(t))
        least = mem->broke_by[k];
  return least;
}

void brink__dae_break(brink__live *live, double t, int own)
{
  dae_memory *mem = live->memory;
  unsigned char by = own ? 0 : (unsigned char)(echoes_at(live, t) + 1);
  size_t n = mem->n_broken;

  mem->segment = t;
  if (n && mem->broke_t[n - 1] == t) {
    if (by < mem->broke_by[n - 1])
      mem->broke_by[n - 1] = by;
    return;
  }
  if (n == DAE_BREAKS) { /* the oldest is forgotten */
    memmove(mem->broke_t, mem->broke_t + 1, (n - 1) * sizeof *mem->broke_t);
    memmove(mem->broke_by, mem->broke_by + 1, n - 1);
    n--;
  }
  mem->broke_t[n] = t;
  mem->broke_by[n] = by;
  mem->n_broken = n + 1;
}
