/* accumulation.c -- events that accumulate (Zeno): when, and with which state?
 *
 * Let a pattern of events repeat itself, d_k the length of its k-th period, t_k the
 * time and y_k the state of an event at its end.  Where the laws and the jumps are
 * smooth, all that belongs to a period is a smooth function of its length: t_k =
 * T(d_k), y_k = Y(d_k) and d_(k+1) = D(d_k).  If d_k tends to 0, events accumulate at
 * T(0) with the state Y(0), which is what the polynomials through the last points (d_k,
 * t_k), (d_k, y_k) have at d = 0 (Neville).  For a geometric sequence that is
 * Richardson's extrapolation, its first column Aitken's delta-squared process; it does
 * as well for faster ones, and where drag bends t_k.  A sequence that shrinks to a
 * length above 0, or as 1/k does, shows in estimates that do not agree.
 *
 * An estimate says nothing about what the model does with bounces smaller than those it
 * has been seen to do: accumulation_check.c tries that out.
 */
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A period contracts if it is no longer than this part of the one before: a ball that
 * keeps 0.99 of its speed does, with rounding of its gaps; a sequence like 1/k does not
 * after 500 events. */
static const double CONTRACTION = 0.998;

/* So many contractions in a row, and states are kept; ... */
enum { NOTICED = 4 };

/* ... so many nodes, and a limit is looked for: below four, two columns of Neville's
 * tableau that agree may do so by chance. */
enum { NODES_LEAST = 4 };

/* Neighbouring nodes should differ by this factor, so that rounding is not amplified
 * where periods contract slowly. */
static const double NODE_RATIO = 0.8;

/* An estimate is good if it is uncertain by this part of the run, ... */
static const double GOOD = 1e-11;

/* ... or of what the tolerance of the run makes of its events ... */
static const double GOOD_OF_RTOL = 1e-2;

/* ... and by this part of what is left: events that follow each other within 1e-12 of
 * the run, at gaps which do not tend to 0, have estimates that are good beside the run
 * and say nothing. */
static const double GOOD_OF_LEFT = 0.25;

/* Whoever looks at the events wants to see some of them: the jump waits until this part
 * of the run is left (34 bounces of a ball that keeps nine tenths of its speed), and
 * for so many events, unless hardly anything is left. */
static const double PART_LEFT = 0x1p-5, HARDLY_LEFT = 0x1p-12;
enum { EVENTS_SHOWN = 20 };

/* A limit is 0 if it is no larger than this many error estimates: these are differences
 * of two extrapolations, which may agree by chance to some digits. */
static const double IS_ZERO = 64;

/* ------------------------------------------------------------ occurrences --- */

void brink__accumulation_forget(brink__accumulation *a)
{
  a->n = 0;
  a->signature_now = 0;
  a->parts_now = 0;
  a->since = -1;
  for (int p = 0; p <= BRINK__PERIOD; p++)
    a->t_before[p] = HUGE_VAL;
  a->retry_below = HUGE_VAL;
}

void brink__accumulation_begin(brink__accumulation *a)
{
  brink__accumulation_forget(a);
  a->passing = 0;
  a->t_reached = -HUGE_VAL;
}

double *brink__accumulation_row(const brink_sim *sim, long o, int j)
{
  return sim->accumulation.y +
         ((size_t)(o % BRINK__OCCURRENCES) * (BRINK__PARTS + 1) + (size_t)j) *
             sim->user_model->max_n;
}

const double *brink__accumulation_state(const brink_sim *sim, int after)
{
  const brink__accumulation *a = &sim->accumulation;

  return brink__accumulation_row(sim, a->n - 1,
                                 a->parts[(a->n - 1) % BRINK__OCCURRENCES] - !after);
}

double *brink__limit_row(const brink_sim *sim, double *rows, int c, int j)
{
  return rows + ((size_t)c * (BRINK__PARTS + 1) + (size_t)j) * sim->user_model->max_n;
}

BRINK__COLD brink_status brink__accumulation_memory(brink_sim *sim)
{
  brink__accumulation *a = &sim->accumulation;
  const brink_model *m = sim->user_model;
  size_t n = m->max_n, ng = (size_t)m->max_guards,
         rows = (size_t)BRINK__OCCURRENCES * (BRINK__PARTS + 1),
         limits = (size_t)BRINK__PERIOD * (BRINK__PARTS + 1),
         signs = (size_t)BRINK__PERIOD * BRINK__PARTS * 3;
  size_t need = brink__need(0, rows + 2 * limits + BRINK__ACC_WORK, n * sizeof(double));
  brink__block b;

  if (a->block.base)
    return BRINK_OK;
  need = brink__need(need, signs, ng);
  need = brink__need(need, 1, m->ops->live_size(m));
  if (brink__block_new(sim->ctx, need, &b) < 0) {
    sim->err = sim->ctx->err;
    return BRINK_ENOMEM;
  }
  a->y = brink__carve(&b, rows + 2 * limits + BRINK__ACC_WORK, n * sizeof(double));
  a->y_limit = a->y + rows * n;
  a->y_error = a->y_limit + limits * n;
  a->work = a->y_error + limits * n;
  a->signs = brink__carve(&b, signs, ng);
  a->copy = brink__carve(&b, 1, m->ops->live_size(m));
  for (size_t i = 0; i < (size_t)BRINK__PERIOD * BRINK__PARTS; i++) {
    brink__part *part = &a->part[i / BRINK__PARTS][i % BRINK__PARTS];
    part->before = a->signs + 3 * i * ng;
    part->now = part->before + ng;
    part->hit = part->now + ng;
  }
  m->ops->live_init(m, a->copy, sim->ctx);
  a->block = b;
  return BRINK_OK;
}

void brink__accumulation_fini(brink_sim *sim)
{
  brink__accumulation *a = &sim->accumulation;
  const brink_model *m = sim->user_model;

  if (a->block.base && m->ops->live_fini)
    m->ops->live_fini(m, a->copy);
  brink__block_drop(&a->block);
}

brink_status brink__accumulation_copy(brink_sim *to, const brink_sim *from)
{
  const brink__accumulation *a = &from->accumulation;
  brink__accumulation *b = &to->accumulation;
  size_t n = to->user_model->max_n;

  if (a->block.base && brink__accumulation_memory(to) < 0)
    return BRINK_ENOMEM;
  brink__accumulation mine = *b;
  *b = *a;
  b->block = mine.block;
  b->y = mine.y;
  b->y_limit = mine.y_limit;
  b->y_error = mine.y_error;
  b->work = mine.work;
  b->signs = mine.signs;
  b->copy = mine.copy;
  for (size_t i = 0; i < (size_t)BRINK__PERIOD * BRINK__PARTS; i++) {
    brink__part *part = &b->part[i / BRINK__PARTS][i % BRINK__PARTS],
                *own = &mine.part[i / BRINK__PARTS][i % BRINK__PARTS];
    part->before = own->before;
    part->now = own->now;
    part->hit = own->hit;
  }
  if (!a->block.base)
    return BRINK_OK;
  brink__copy(b->y, a->y, (size_t)BRINK__OCCURRENCES * (BRINK__PARTS + 1) * n);
  memcpy(b->signs, a->signs,
         (size_t)BRINK__PERIOD * BRINK__PARTS * 3 * (size_t)to->user_model->max_guards);
  return BRINK_OK;
}

unsigned brink__fired_hash(const brink__instant *inst)
{
  unsigned h = 0;

  for (int i = 0; i < inst->n_fired; i++)
    h = 31 * h + (unsigned)inst->fired[i] + 1;
  return h;
}

/* Keep what the instant was given, as number j of the occurrence under way. */
static void keep_part(brink_sim *sim, const brink__instant *inst, int j)
{
  brink__accumulation *a = &sim->accumulation;
  const brink__mode *info = brink__mode_info(sim, inst->mode);
  brink__part *part = &a->part[a->n % BRINK__PERIOD][j];
  size_t ng = (size_t)info->n_guards;

  part->mode = inst->mode;
  part->mode_after = inst->mode_after;
  part->at_restart = inst->at_restart;
  part->n_fired = inst->n_fired;
  part->event = inst->n_fired > 0 ? inst->fired[inst->n_fired - 1] : BRINK__NO_EVENT;
  part->fired = brink__fired_hash(inst);
  memcpy(part->before, inst->sign_before, ng);
  memcpy(part->now, inst->sign, ng);
  memcpy(part->hit, inst->hit, ng);
  a->part_t[a->n % BRINK__OCCURRENCES][j] = inst->t;
  brink__copy(brink__accumulation_row(sim, a->n, j), inst->y_before, info->n);
}

/* Can the instant be part of a pattern?  Known times are none of the state's, and a
 * jump that lets time pass, or ends the run, none that repeats itself. */
static int regular(const brink_sim *sim, const brink__instant *inst)
{
  for (int i = 0; i < sim->model->n_timers; i++)
    if (inst->due[i])
      return 0;
  return !(inst->t_after > inst->t) && !inst->stop && !inst->zeno &&
         !inst->irreversible;
}

void brink__accumulation_instant(brink_sim *sim, const brink__instant *inst)
{
  brink__accumulation *a = &sim->accumulation;

  if (!regular(sim, inst) || (a->since >= 0 && a->parts_now == BRINK__PARTS)) {
    brink__accumulation_forget(a);
    return;
  }
  if (a->since >= 0)
    keep_part(sim, inst, a->parts_now);
  a->parts_now++;
  a->signature_now = 31 * (31 * a->signature_now + brink__fired_hash(inst)) +
                     7 * (unsigned)inst->mode + (unsigned)inst->mode_after;
}

/* --------------------------------------------------------------- patterns --- */

static double time_of(const brink__accumulation *a, long back)
{
  return a->t[(a->n - 1 - back) % BRINK__OCCURRENCES];
}

double brink__period_gap(const brink__accumulation *a, long i, int p)
{
  return time_of(a, i * p) - time_of(a, (i + 1) * p);
}

int brink__period_repeats(const brink__accumulation *a, long i, int p)
{
  for (long c = i * p; c < (i + 1) * p; c++)
    if (a->signature[(a->n - 1 - c) % BRINK__OCCURRENCES] !=
        a->signature[(a->n - 1 - c - p) % BRINK__OCCURRENCES])
      return 0;
  return 1;
}

int brink__period_contractions(const brink__accumulation *a, int p)
{
  long known = a->n < BRINK__OCCURRENCES ? a->n : BRINK__OCCURRENCES;
  int i = 0;

  while ((i + 2) * p < known && brink__period_gap(a, i, p) > 0 &&
         brink__period_gap(a, i, p) <= CONTRACTION * brink__period_gap(a, i + 1, p) &&
         brink__period_repeats(a, i, p))
    i++;
  return i;
}

/* Are states to be kept from here on?  The policy `step` needs those of the last two
 * periods; dwell times that have become short may accumulate without having contracted
 * one after the other. */
static int is_noticed(const brink_sim *sim)
{
  const brink__accumulation *a = &sim->accumulation;
  int step = sim->opt.zeno == BRINK_ZENO_STEP;
  double most = step ? 2 * brink__zeno_gap(sim) : HUGE_VAL;

  for (int p = 1; p <= BRINK__PERIOD; p++)
    if (brink__period_contractions(a, p) >= NOTICED &&
        brink__period_gap(a, 0, p) <= p * most)
      return 1;
  return !step && brink__dwell_shrinks(&sim->regime->dwell);
}

brink_status brink__accumulation_end(brink_sim *sim)
{
  brink__accumulation *a = &sim->accumulation;
  long slot = a->n % BRINK__OCCURRENCES;

  if (a->parts_now == 0 || (a->n > 0 && sim->t == time_of(a, 0)))
    return BRINK_OK; /* what follows at the same time belongs to the next one */
  if (a->since >= 0) {
    a->parts[slot] = a->parts_now;
    brink__copy(brink__accumulation_row(sim, a->n, a->parts_now), sim->y,
                sim->regime->info->n);
  }
  a->t[slot] = sim->t;
  a->signature[slot] = 31 * a->signature_now + (unsigned)sim->mode;
  a->signature_now = 0;
  a->parts_now = 0;
  a->n++;
  if (a->since < 0 && is_noticed(sim)) {
    BRINK_TRY(brink__accumulation_memory(sim));
    a->since = a->n;
  }
  return BRINK_OK;
}

/* ---------------------------------------------------------- extrapolation --- */

/* Weights of the values at the nodes x[0 .. m-1] in the value at 0 of the polynomial
 * through them. */
static void weights_at_zero(const double *x, int m, double *w)
{
  for (int i = 0; i < m; i++) {
    w[i] = 1;
    for (int l = 0; l < m; l++)
      if (l != i)
        w[i] *= x[l] / (x[l] - x[i]);
  }
}

/* The same in the value at `at` of the polynomial through these and (0, 0). */
static void weights_at(const double *x, int m, double at, double *w)
{
  for (int i = 0; i < m; i++) {
    w[i] = at / x[i];
    for (int l = 0; l < m; l++)
      if (l != i)
        w[i] *= (at - x[l]) / (x[i] - x[l]);
  }
}

/* The nodes: every stride-th of the last `most` periods with states. */
static void choose_nodes(const brink__accumulation *a, int most, brink__limit *l)
{
  int p = l->period;

  l->stride = 1;
  while (most / (l->stride + 1) >= NODES_LEAST &&
         brink__period_gap(a, 0, p) > NODE_RATIO * brink__period_gap(a, l->stride, p))
    l->stride++;
  l->known =
      most / l->stride < BRINK__LIMIT_NODES ? most / l->stride : BRINK__LIMIT_NODES;
  for (int i = 0; i < l->known; i++)
    l->x[i] = brink__period_gap(a, (long)i * l->stride, p);
  l->gap = l->x[0];
}

/* The time of accumulation, from as many of the nodes as give the least error: what the
 * last node has changed, and the rounding of times and of their differences. */
static void extrapolate_time(const brink__accumulation *a, brink__limit *l)
{
  double last = time_of(a, 0), before = last;
  double slope = (last - time_of(a, (long)l->stride * l->period)) / (l->x[1] - l->x[0]);
  int best = 1;

  l->error = HUGE_VAL;
  for (int m = 1; m <= l->known; m++) {
    double w[BRINK__LIMIT_NODES], sum = 0, rounding = 0, t;
    weights_at_zero(l->x, m, w);
    for (int i = 0; i < m; i++) {
      t = time_of(a, (long)i * l->stride * l->period);
      sum += w[i] * (t - last);
      rounding += fabs(w[i]) * DBL_EPSILON * fabs(t);
    }
    t = last + sum;
    double error = fabs(t - before) + (1 + 2 * slope) * rounding;
    if (m > 1 && error < l->error) {
      l->error = error;
      l->t = t;
      best = m;
    }
    before = t;
  }
  l->nodes = best;
}

/* Value at 0 of the polynomial through the first m nodes of state k of part j of the
 * c-th last occurrence; *size: of its terms. */
static double state_at_zero(const brink_sim *sim, const brink__limit *l, int m, int c,
                            int j, size_t k, double *size)
{
  double w[BRINK__LIMIT_NODES], sum = 0;

  weights_at_zero(l->x, m, w);
  *size = 0;
  for (int i = 0; i < m; i++) {
    long o = sim->accumulation.n - 1 - c - (long)i * l->stride * l->period;
    double term = w[i] * brink__accumulation_row(sim, o, j)[k];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

/* Where that state tends, and what it is uncertain by: at least the nodes of the time,
 * and as many more as make it less.  The times of a body that bounces are linear in the
 * length of a period, but the height of another one in free fall is not.  Of many
 * differences of two extrapolations one is small by chance; it takes two in a row. */
static double limit_of_state(const brink_sim *sim, const brink__limit *l, int c, int j,
                             size_t k, double *error)
{
  double limit = 0, before = 0, changed = 0;

  *error = HUGE_VAL;
  for (int m = 1; m <= l->known; m++) {
    double size, sum = state_at_zero(sim, l, m, c, j, k, &size);
    double change = m > 1 ? fabs(sum - before) : 0;
    double e = brink__max(change, changed) + 4 * DBL_EPSILON * size;
    if (m >= l->nodes && e < *error) {
      *error = e;
      limit = sum;
    }
    before = sum;
    changed = change;
  }
  return limit;
}

/* The same for all states, with what the times at which they are taken, and so the
 * lengths of periods, are uncertain by. */
static void extrapolate_states(const brink_sim *sim, const brink__limit *l)
{
  const brink__accumulation *a = &sim->accumulation;
  double *f = a->work, rounding = 4 * DBL_EPSILON * (fabs(l->t) + l->gap);
  size_t n = sim->user_model->max_n;

  memset(f, 0, n * sizeof *f);
  if (brink__f(&sim->regime->probe, sim->t, sim->y, f) != BRINK_OK)
    memset(f, 0, n * sizeof *f);

  for (int c = 0; c < l->period; c++)
    for (int j = 0; j <= a->parts[(a->n - 1 - c) % BRINK__OCCURRENCES]; j++) {
      double *y = brink__limit_row(sim, a->y_limit, c, j),
             *error = brink__limit_row(sim, a->y_error, c, j);
      for (size_t k = 0; k < n; k++) {
        double last = brink__accumulation_row(sim, a->n - 1 - c, j)[k];
        y[k] = limit_of_state(sim, l, c, j, k, &error[k]);
        error[k] += fabs(f[k]) * (l->error + rounding) +
                    fabs(last - y[k]) * brink__min(1, rounding / l->gap);
        if (fabs(y[k]) <= IS_ZERO * error[k])
          y[k] = 0;
      }
    }
}

double *brink__limit_state(const brink_sim *sim, const brink__limit *l, double d, int c,
                           int j, double *out)
{
  const brink__accumulation *a = &sim->accumulation;
  const double *y = brink__limit_row(sim, a->y_limit, c, j);
  double w[BRINK__LIMIT_NODES];

  weights_at(l->x, l->nodes, d, w);
  for (size_t k = 0; k < sim->user_model->max_n; k++) {
    double sum = 0;
    for (int i = 0; i < l->nodes; i++)
      sum += w[i] * (brink__accumulation_row(
                         sim, a->n - 1 - c - (long)i * l->stride * l->period, j)[k] -
                     y[k]);
    out[k] = y[k] + sum;
  }
  return out;
}

double brink__limit_time(const brink_sim *sim, const brink__limit *l, double d, int c,
                         int j)
{
  const brink__accumulation *a = &sim->accumulation;
  double w[BRINK__LIMIT_NODES], sum = 0;

  weights_at(l->x, l->nodes, d, w);
  for (int i = 0; i < l->nodes; i++) {
    long o = a->n - 1 - c - (long)i * l->stride * l->period;
    sum += w[i] * (a->part_t[o % BRINK__OCCURRENCES][j] - l->t);
  }
  return l->t + sum;
}

double brink__limit_next(const brink_sim *sim, const brink__limit *l, double d)
{
  const brink__accumulation *a = &sim->accumulation;
  double x[BRINK__LIMIT_NODES] = {0}, w[BRINK__LIMIT_NODES], sum = 0;
  int m = l->nodes - 1;

  for (int i = 0; i < m; i++)
    x[i] = brink__period_gap(a, (long)i * l->stride + 1, l->period);
  weights_at(x, m, d, w);
  for (int i = 0; i < m; i++)
    sum += w[i] * brink__period_gap(a, (long)i * l->stride, l->period);
  return sum;
}

/* ------------------------------------------------------------------ limits --- */

/* Is the estimate good enough to go there?  A few roundings of t are, whatever part of
 * the run they are. */
static int good(const brink_sim *sim, brink__limit *l)
{
  double run = l->t - sim->t_start, left = l->t - sim->t;

  l->allowed = brink__max(brink__max(GOOD, GOOD_OF_RTOL * sim->opt.rtol) * run,
                          brink__time_slack(l->t));
  if (left > PART_LEFT * run ||
      (left > HARDLY_LEFT * run && sim->accumulation.n < EVENTS_SHOWN))
    return 0;
  return l->error <= GOOD_OF_LEFT * left && l->error <= l->allowed;
}

/* A pattern of p occurrences that contracts: its limit. */
static int estimate(brink_sim *sim, int p, brink__limit *l)
{
  brink__accumulation *a = &sim->accumulation;
  int gaps = brink__period_contractions(a, p) + 1,
      with_states = (int)((a->n - a->since) / p);
  int most = gaps < with_states ? gaps : with_states;

  if (most < NODES_LEAST)
    return 0;
  *l = (brink__limit){.period = p};
  choose_nodes(a, most, l);
  extrapolate_time(a, l);
  double before = a->t_before[p];
  a->t_before[p] = l->t;
  l->error = brink__max(l->error, fabs(l->t - before));
  return l->t > sim->t && good(sim, l);
}

/* The policy `step`: do the events of a pattern follow each other within zeno_gap? */
static int steps_end(brink_sim *sim, brink__limit *l)
{
  const brink__accumulation *a = &sim->accumulation;

  for (int p = 1; p <= BRINK__PERIOD; p++)
    if (brink__period_contractions(a, p) >= NOTICED && a->n - a->since >= p &&
        brink__period_gap(a, 0, p) <= p * brink__zeno_gap(sim))
      return brink__limit_here(sim, p, l);
  return 0;
}

/* The shortest period that goes on as its extrapolation says: a mass that swings to
 * both sides of a switch has equal gaps at both, and states that alternate. */
int brink__accumulates(brink_sim *sim, brink__limit *l)
{
  brink__accumulation *a = &sim->accumulation;
  double gap_tried = 0;
  int found = 0;

  if (a->since < 0 || a->parts_now > 0 || sim->past_zeno.policy)
    return 0; /* nothing has contracted, or the policy is at work already */
  if (sim->opt.zeno == BRINK_ZENO_STEP)
    return steps_end(sim, l);
  if (sim->model->remembers)
    return 0; /* replayed on a copy, they would be missing in what is remembered */
  for (int p = 1; p <= BRINK__PERIOD && !found; p++) {
    if (brink__period_contractions(a, p) < NOTICED || !estimate(sim, p, l) ||
        !(l->t < sim->t_end) || !(l->t < sim->t_next) || l->gap > p * a->retry_below)
      continue;
    extrapolate_states(sim, l);
    found = brink__limit_holds(sim, l);
    gap_tried = l->gap / p;
  }
  if (!found && gap_tried > 0)
    a->retry_below = 0.5 * gap_tried;
  return found;
}
