/* delay.c -- delay(x, d): what x was d ago.
 *
 * While the run goes on, every delayed expression is sampled at the Chebyshev points
 * of each accepted step; in between it is the interpolating polynomial (barycentric
 * formula [BT04]).  A constant delay limits the step, so that what is asked for has
 * always been recorded; where a delay moves, a step that would look into itself is
 * refused and tried shorter.  A delay that (nearly) vanishes is no reason to stand
 * still: then the value is interpolated between what is known at the beginning of the
 * step (value, slope, second derivative) and what the expression is now, so that
 * delay(x, 0) is x; from a function of the state the method makes a solution of its
 * order, and the interpolation is off by h^3 d/24 times the fourth derivative at most.
 *
 * Events come back, unless states move the delay: at t + d a step ends and another one
 * begins, DAE_ECHOES times over, since each integration makes them smoother
 * [HNW93, II.17].
 *
 * At the time of an event a value has two limits.  The stretch that ends there reads
 * the left one, the stretch that begins there the right one.
 *
 * With machines, one memory serves all combinations of states (modes.h), and in each
 * all delayed expressions are recorded: variables of states that sleep as they are
 * kept.
 *
 * Limits: DAE_PIECES steps are remembered; der() does not look through delay().
 */
#include "dae/build.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* times this close are one time */
static double slack_at(double t) { return 16 * DBL_EPSILON * fabs(t); }

/* below this part of the longest delay a moving one may look into the step; the second
 * at the beginning of a stretch, where no slope is known */
static const double AT_ONCE = 1e-3, AT_ONCE_FIRST = 1e-6;

/* delays of delays that vanish are found by trying */
enum { TURNS = 40 };

/* ------------------------------------------------------------- compiling --- */

/* Is the delay made of parameters, and if not, do states move it? */
static brink_status is_constant(dae_build *b, const brink__flat_delay *f, int *yes,
                                int *by_states)
{
  *yes = 1;
  *by_states = 0;
  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, 1, &f->by, &b->list));
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

/* How many delays of different length send events back. */
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

/* How often an event comes back.  Where a delayed expression contains a delay, nothing
 * makes it smoother; several lengths make sums of sums, so that fewer must do. */
static brink_status echoes(dae_build *b, const brink__node *roots)
{
  dae_model *m = b->m;
  int through = 0, n = lengths(b);

  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, m->n_delays, roots, &b->list));
  for (size_t k = 0; k < m->delayed.n_steps; k++) {
    size_t n_rows;
    const int32_t *rows = brink__dae_rows_of(&m->delayed.steps[k], &n_rows);
    for (size_t i = 0; i < n_rows; i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        through |= b->delayed[b->sym[e]];
  }
  for (size_t i = 0; i < b->list.n; i++)
    through |= b->delayed[b->list.v[i]];
  m->nested = through;
  m->echoes = n <= 1 ? DAE_ECHOES : n == 2 ? DAE_ECHOES / 2 : 1;
  if (through)
    m->echoes = n <= 2 ? DAE_ENDLESS : 2 * DAE_ECHOES;
  return BRINK_OK;
}

/* The points, and the derivatives at the last one: [BT04, 9.3], the second by
 * differentiating the first. */
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

/* Is there no piece yet of the stretch that is under way? */
static int is_fresh(const brink__live *live, double slack)
{
  const dae_memory *mem = live->memory;

  return mem->n_pieces == 0 ||
         piece_time(live, mem->n_pieces - 1)[1] <= mem->segment + slack;
}

typedef enum past {
  UNKNOWN, /* forgotten, or in a step that is too long */
  KNOWN,
  AHEAD /* in the step, but nearly now */
} past;

/* Expression i as it was at tau. */
static past was(const brink__live *live, size_t i, double t, double tau, double *out)
{
  const dae_model *m = live->m;
  const dae_memory *mem = live->memory;
  double slack = slack_at(t);
  int right = t <= mem->segment + slack;
  size_t oldest = mem->n_pieces > DAE_PIECES ? mem->n_pieces - DAE_PIECES : 0;

  *out = mem->before[i];
  if (tau < mem->begin - slack ||
      ((!right || mem->n_pieces == 0) && tau <= mem->begin + slack))
    return KNOWN;
  size_t k = piece_of(live, tau, slack, right);
  if (k < mem->n_pieces) {
    const double *p = piece_time(live, k);
    if (k == oldest && oldest > 0 && tau < p[0] - slack)
      return UNKNOWN;
    double x = (tau - p[0]) / (p[1] - p[0]);
    *out = interpolate(m, piece_value(live, k, i), x < 0 ? 0 : x > 1 ? 1 : x);
    return KNOWN;
  }
  if (k > 0) {
    *out = piece_value(live, k - 1, i)[DAE_NODES - 1];
    if (tau <= piece_time(live, k - 1)[1] + slack && t - tau > slack)
      return KNOWN;
  }
  double at_once = is_fresh(live, slack) ? AT_ONCE_FIRST : AT_ONCE;
  int near = mem->recording || t - tau <= at_once * m->delays[i].most;
  return m->delays[i].by < 0 && near ? AHEAD : UNKNOWN;
}

/* ---------------------------------------------------------- looking ahead --- */

static double root(const brink__live *live, size_t i)
{
  const dae_program *p = &live->m->delayed;
  const brink__tape *last = p->steps[p->n_steps - 1].tape;

  return live
      ->v[brink__tape_slot(last, brink__tape_n_roots(last) - live->m->n_delays + i)];
}

/* Expression i at tau in the step, from what is known of it at the beginning of the
 * step and its value at t. */
static double between(const brink__live *live, size_t i, double t, double tau,
                      double now)
{
  const dae_model *m = live->m;
  const dae_memory *mem = live->memory;
  double slack = slack_at(t);

  if (is_fresh(live, slack)) { /* a straight line */
    double from = mem->segment, first = mem->n_pieces ? mem->after[i] : mem->before[i];
    if ((mem->n_pieces && mem->after_t != from) || t <= from + slack)
      return now;
    return now + (first - now) * (t - tau) / (t - from);
  }
  const double *p = piece_time(live, mem->n_pieces - 1);
  const double *v = piece_value(live, mem->n_pieces - 1, i);
  double h = p[1] - p[0], s = tau - p[1], all = t - p[1], slope = 0, bend = 0;
  if (all <= slack)
    return now;
  for (int j = 0; j < DAE_NODES; j++) {
    slope += m->slope[j] * v[j] / h;
    bend += m->bend[j] * v[j] / (h * h);
  }
  double first = v[DAE_NODES - 1], part = s / all;
  double cubic = now - (first + all * (slope + all * bend / 2));
  return first + s * (slope + s * bend / 2) + cubic * part * part * part;
}

/* The delays that lie ahead at (t, y): by[i] < 0 marks the others.  A delay of a delay
 * may need itself; then the values are tried, every third one being where the line
 * through the tries before meets the diagonal (Aitken). */
static brink_status look_ahead(brink__live *live, double t, const double *by)
{
  const dae_model *m = live->m;
  double *move = live->memory->far + m->n_delays; /* of the try before */
  int turns = m->nested ? TURNS : 1;

  for (int turn = 0; turn < turns; turn++) {
    double far = 0;
    BRINK_TRY(brink__dae_steps(live, &m->delayed));
    for (size_t i = 0; i < m->n_delays; i++) {
      double *v = &live->v[m->delays[i].slot];
      if (by[i] < 0)
        continue;
      double new = between(live, i, t, t - by[i], root(live, i)), step = new - *v;
      double bend = step - move[i];
      far = brink__max(far, fabs(step) / (1 + fabs(new)));
      *v = turn % 3 == 2 && bend != 0 ? new - step *step / bend : new;
      move[i] = step;
      live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_DELAY, (int)i};
    }
    if (!m->nested || far <= 16 * DBL_EPSILON)
      return BRINK_OK;
  }
  return BRINK_EDOMAIN;
}

/* What the flow begins with, for the first step of a stretch. */
static void first_values(brink__live *live, double t)
{
  const dae_model *m = live->m;
  dae_memory *mem = live->memory;

  if (!m->moving || t != mem->segment || mem->n_pieces == 0 ||
      brink__dae_steps(live, &m->delayed) < 0)
    return;
  mem->after_t = t;
  for (size_t i = 0; i < m->n_delays; i++)
    mem->after[i] = root(live, i);
}

brink_status brink__dae_delay(brink__live *live, double t, const double *y)
{
  const dae_model *m = live->m;
  double *far = live->memory->far;
  int ahead = 0;

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
    past how = was(live, i, t, t - by, &live->v[d->slot]);
    far[i] = how == AHEAD ? by : -1;
    ahead |= how == AHEAD;
    if (how == UNKNOWN) {
      live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_DELAY, (int)i};
      return BRINK_EDOMAIN;
    }
  }
  if (ahead)
    BRINK_TRY(look_ahead(live, t, far));
  first_values(live, t);
  return BRINK_OK;
}

/* ------------------------------------------------------------ remembering --- */

void brink__dae_record(const brink_model *model, brink__live *live, int mode,
                       const brink_step *step, double begin, double end, double t_end)
{
  const dae_model *m = dae_of(model);
  dae_memory *mem = live->memory;
  double from = step->t0 + begin * step->h;
  size_t k = mem->n_pieces % DAE_PIECES;

  (void)mode;
  if (!(t_end > from))
    return;
  mem->recording = 1; /* between its stages the step may look into itself further */
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
  mem->recording = 0;
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
  mem->after_t = nan("");
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

/* Delay i at time t, whatever the states are; < 0: not known. */
static double delay_at(brink__live *live, int i, double t)
{
  const dae_model *m = live->m;
  const dae_delay *d = &m->delays[i];
  double now = live->v[BRINK__TIME], by = d->by;

  if (by >= 0)
    return by;
  live->v[BRINK__TIME] = t;
  if (brink__tape_values(m->by_tape, live->v, NULL) == BRINK_OK) {
    by = live->v[brink__tape_slot(m->by_tape, (size_t)i)];
    by = by > d->most ? d->most : by > 0 ? by : 0;
  }
  live->v[BRINK__TIME] = now;
  return by;
}

/* When moving delay i, now shorter than t - broke, reaches back to `broke`: the first
 * sign that the difference has changed between samples, then halves. */
static double reaches(brink__live *live, int i, double t, double broke)
{
  enum { SAMPLES = 32, HALVES = 60 };
  double most = live->m->delays[i].most, end = broke + most, lo = t, hi = end;

  for (int k = 1; k <= SAMPLES; k++) {
    double s = t + (end - t) * k / SAMPLES, by = delay_at(live, i, s);
    if (by < 0)
      return HUGE_VAL;
    if (s - by >= broke) {
      hi = s;
      break;
    }
    lo = s;
  }
  for (int k = 0; k < HALVES && hi - lo > slack_at(hi) / 8; k++) {
    double s = lo + (hi - lo) / 2;
    if (s - delay_at(live, i, s) >= broke)
      hi = s;
    else
      lo = s;
  }
  return delay_at(live, i, hi) > AT_ONCE * most ? hi : HUGE_VAL;
}

double brink__dae_echo(brink__live *live, int i, double t)
{
  const dae_memory *mem = live->memory;
  double d = delay_at(live, i, t), first = HUGE_VAL;

  for (size_t k = 0; k < mem->n_broken && d >= 0; k++) {
    double back = mem->broke_t[k] + d;
    if (mem->broke_by[k] >= live->m->echoes || !(back > t + slack_at(t)))
      continue;
    if (live->m->delays[i].by < 0) /* what broke first comes back first */
      return reaches(live, i, t, mem->broke_t[k]);
    first = brink__min(first, back);
  }
  return first;
}

/* How often the event that comes back at t has come back before. */
static unsigned char echoes_at(brink__live *live, double t)
{
  const dae_memory *mem = live->memory;
  unsigned char least = DAE_ENDLESS - 1;

  for (size_t k = 0; k < mem->n_broken; k++)
    for (size_t i = 0; i < live->m->n_delays; i++)
      if ((live->m->delays[i].by > 0 || live->m->delays[i].timed) &&
          mem->broke_by[k] < least &&
          fabs(mem->broke_t[k] + delay_at(live, (int)i, t) - t) <= 4 * slack_at(t))
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
