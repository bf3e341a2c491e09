/* history.c -- delay(x, d): what x was d ago.
 *
 * While the run goes on, every delayed expression is sampled at the Chebyshev points
 * of each accepted step; in between it is the interpolating polynomial (barycentric
 * formula [BT04]).  A constant delay limits the step, so that what is asked for has
 * always been recorded; where a delay moves, a step that would look into itself is
 * refused and tried shorter.  A delay that (nearly) vanishes must not
 * make the steps vanish, too: then the value is interpolated between what is known at
 * the beginning of the step (value, slope, second derivative) and what the expression
 * is now, so that delay(x, 0) is x; from a function of the state the method makes a
 * solution of its order, and the interpolation is off by h^3 d/24 times the fourth
 * derivative at most.
 *
 * Events come back, unless states move the delay: at t + d a step ends and another one
 * begins, DAE_ECHOES times over, since each integration makes them smoother
 * [HNW93, II.17].
 *
 * At the time of an event a value has two limits.  The stretch that ends there reads
 * the left one, the stretch that begins there the right one.
 *
 * With machines, one memory serves all combinations of states (machine/modes.h), and in
 * each all delayed expressions are recorded: variables of inactive states with the
 * values that they keep.
 *
 * Limits: DAE_PIECES steps are remembered; der() does not look through delay().
 */
#include "dae/model.h"

#include <string.h>

/* Below this part of the longest delay a moving one may look into the first step of a
 * stretch, where no slope is known (DAE_AT_ONCE: into later ones). */
static const double AT_ONCE_FIRST = 1e-6;

/* Iterations for delays of delays that nearly vanish, whose values depend on each
 * other. */
enum { ITERATIONS = 40 };

/* -------------------------------------------------------------- reading ---- */

static const double *piece_time(const dae_live *live, size_t k)
{
  return live->memory->piece_t + 2 * (k % DAE_PIECES);
}

static const double *piece_value(const dae_live *live, size_t k, size_t i)
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

/* The first recorded step that ends at or after tau; where two steps meet the earlier
 * one, or (right) the later one. */
static size_t piece_of(const dae_live *live, double tau, double slack, int right)
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

/* Has no step been recorded since the flow last started? */
static int is_fresh(const dae_live *live, double slack)
{
  const dae_memory *mem = live->memory;

  return mem->n_pieces == 0 ||
         piece_time(live, mem->n_pieces - 1)[1] <= mem->segment + slack;
}

typedef enum past {
  UNKNOWN, /* no longer recorded, or inside the step under way */
  KNOWN,
  AHEAD /* inside the step under way, but so near to t that it is interpolated */
} past;

/* Expression i as it was at tau. */
static past was(const dae_live *live, size_t i, double t, double tau, double *out)
{
  const dae_model *m = live->m;
  const dae_memory *mem = live->memory;
  double slack = dae_history_slack(t);
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
  double at_once = is_fresh(live, slack) ? AT_ONCE_FIRST : DAE_AT_ONCE;
  int near = mem->recording || t - tau <= at_once * live->constants.delay[i];
  return !m->delays[i].constant && near ? AHEAD : UNKNOWN;
}

/* ---------------------------------------------------------- looking ahead --- */

static double root(const dae_live *live, size_t i)
{
  const dae_program *p = &live->m->delayed;
  const brink__tape *last = p->steps[p->n_steps - 1].tape;

  return live
      ->v[brink__tape_slot(last, brink__tape_n_roots(last) - live->m->n_delays + i)];
}

/* Expression i at tau in the step under way: interpolated between value, slope and
 * second derivative at the beginning of the step and the value `now` at t. */
static double between(const dae_live *live, size_t i, double t, double tau, double now)
{
  const dae_model *m = live->m;
  const dae_memory *mem = live->memory;
  double slack = dae_history_slack(t);

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

/* The values of the delays by[i] that lie inside the step under way (by[i] < 0 marks
 * the others).  Where delays of delays make them depend on each other they are found by
 * fixed-point iteration, every third value being extrapolated (Aitken). */
static brink_status look_ahead(dae_live *live, double t, const double *by)
{
  const dae_model *m = live->m;
  double *move = live->memory->far + m->n_delays; /* changes in the last iteration */
  int turns = m->nested ? ITERATIONS : 1;

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

/* Keep the values with which the flow starts, from which the first step interpolates.
 */
static void first_values(dae_live *live, double t)
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

brink_status brink__dae_read_delays(dae_live *live, double t, const double *y)
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
    double by = live->constants.delay[i];
    if (!d->constant) {
      double now = live->v[brink__tape_slot(m->by_tape, i)];
      by = now > by ? by : now > 0 ? now : 0;
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

int brink__dae_delayed(const brink_model *model, brink__live *l, int mode, double t,
                       const double *y, double *v)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  dae_memory *mem = live->memory;
  int recording = mem->recording;

  (void)mode;
  mem->recording = 1; /* the step is accepted: all of it may be interpolated */
  brink_status rc = brink__dae_run(live, &m->delayed, t, y);
  mem->recording = recording;
  for (size_t i = 0; rc == BRINK_OK && i < m->n_delays; i++)
    v[i] = root(live, i);
  return rc == BRINK_OK ? 0 : 1;
}

void brink__dae_history_record(const brink_model *model, brink__live *l, int mode,
                               const brink_step *step, double begin, double end,
                               double t_end, const brink__delayed *law)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  dae_memory *mem = live->memory;
  double from = step->t0 + begin * step->h;
  size_t k = mem->n_pieces % DAE_PIECES;

  if (!(t_end > from))
    return;
  mem->recording = 1;
  for (int j = 0; j < DAE_NODES; j++) {
    double t = from + m->node[j] * (t_end - from);
    brink_step_at(step, begin + m->node[j] * (end - begin), live->y);
    int known = law ? law->values(law->self, t, live->y, mem->far) == 0
                    : brink__dae_delayed(model, l, mode, t, live->y, mem->far) == 0;
    for (size_t i = 0; i < m->n_delays; i++) {
      double *v = mem->piece_v + (k * m->n_delays + i) * (size_t)DAE_NODES;
      v[j] = known ? mem->far[i] : j > 0 ? v[j - 1] : mem->before[i];
    }
  }
  mem->recording = 0;
  mem->piece_t[2 * k] = from;
  mem->piece_t[2 * k + 1] = t_end;
  mem->n_pieces++;
}

void brink__dae_history_same(const brink_model *model, brink__live *l,
                             const brink__live *other)
{
  dae_memory *to = dae_live_of(l)->memory;
  const dae_memory *from = ((const dae_live *)(const void *)other)->memory;
  size_t n = dae_of(model)->n_delays * (size_t)DAE_NODES,
         k = (from->n_pieces - 1) % DAE_PIECES;

  if (from->n_pieces == 0)
    return;
  brink__copy(to->piece_t + 2 * k, from->piece_t + 2 * k, 2);
  brink__copy(to->piece_v + k * n, from->piece_v + k * n, n);
  to->n_pieces = from->n_pieces;
}

int brink__dae_history_begin(dae_live *live, double t, const double *y, double tol)
{
  const dae_model *m = live->m;
  dae_memory *mem = live->memory;
  int same = 1;

  mem->begin = mem->segment = t;
  mem->n_pieces = mem->n_broken = 0;
  mem->after_t = nan("");
  if (brink__dae_run(live, &m->delayed, t, y) < 0)
    return 1;
  for (size_t i = 0; i < m->n_delays; i++) {
    double now = root(live, i);
    same &= fabs(now - mem->before[i]) <= tol * (1 + fabs(now));
    mem->before[i] = now;
  }
  return same;
}
