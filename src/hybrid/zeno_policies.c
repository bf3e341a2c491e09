/* zeno_policies.c -- past an accumulation point by regularization or by averaging
 * [Johansson, Egerstedt, Lygeros, Sastry, "On the regularization of Zeno hybrid
 * automata", Systems & Control Letters 38 (1999)].
 *
 *   regularize ... an event of the pattern happens no sooner than zeno_gap after the
 *                  one before.  Until then the law goes on, beyond the guards; then the
 *                  event whose turn it is is carried out if its guard is beyond its
 *                  zero.
 *   average ...... the two laws of the pattern hold at once, in the proportion that
 *                  moves their guards least.  Events that change the state have no such
 *                  average.
 *
 * Both hold the guards of the pattern in a regime made at run time (extended_model.h),
 * though not at their zeros: nothing is projected.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <math.h>
#include <string.h>

/* Is guard k of the event beyond its zero, or on it? */
static int beyond(brink__extended *x, int i, double t, const double *y)
{
  const brink__past_zeno *c = &x->sim->past_zeno;
  double g;

  return c->event[i].mode == x->active->base &&
         x->inner->ops->guard(x->inner, x->side[0].live, x->active->base,
                              c->event[i].guard, t, y, &g) == 0 &&
         g * c->event[i].dir >= 0;
}

/* Which event of the pattern holds the surface? */
static int event_of(const brink__extended *x, int surface)
{
  const brink__past_zeno *c = &x->sim->past_zeno;
  int i = 0;

  while (i + 1 < c->n && (c->event[i].mode != x->active->base ||
                          c->event[i].guard != x->active->hold[surface].guard))
    i++;
  return i;
}

static int no_projection(brink__extended *x, double t, const double *unit, double *y)
{
  (void)x, (void)t, (void)unit, (void)y;
  return 0;
}

/* -------------------------------------------------------------- regularize --- */

static int delayed_rhs(brink__extended *x, double t, const double *y, double *f)
{
  int rc = brink__side_rhs(x, 0, t, y);

  brink__copy(f, x->side[0].f, x->side[0].flow.n);
  return rc;
}

static int delayed_exit(brink__extended *x, double t, const double *y, double *value)
{
  (void)y;
  for (int s = 0; s < x->active->n_surfaces; s++)
    value[s] = t - x->sim->past_zeno.until;
  return 0;
}

/* The event whose turn it is, if its guard is beyond. */
static int delayed_leave(brink__extended *x, int surface, double t, const double *y)
{
  int e = event_of(x, surface);

  return e == x->sim->past_zeno.turn && beyond(x, e, t, y);
}

static const brink__law delayed = {.enters = BRINK_KIND_ZENO,
                                   .leaves = BRINK_KIND_ZENO,
                                   .rhs = delayed_rhs,
                                   .project = no_projection,
                                   .exit = delayed_exit,
                                   .leave = delayed_leave};

/* ------------------------------------------------------------------ average --- */

/* The part of the second law, and f of both in the sides.  Returns as rhs does. */
static int share(brink__extended *x, double t, const double *y, double *part)
{
  const brink__past_zeno *c = &x->sim->past_zeno;
  double along = 0, across = 0, rate[2];

  for (int i = 0; i < 2; i++) {
    int rc = brink__side_rhs(x, i, t, y);
    if (rc != 0)
      return rc;
  }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++)
      if (!brink__side_rate(x, i, c->event[i].guard, t, y, x->side[j].f, &rate[j]))
        return 1;
    along += rate[0] * (rate[1] - rate[0]);
    across += (rate[1] - rate[0]) * (rate[1] - rate[0]);
  }
  *part = across > 0 ? brink__min(brink__max(-along / across, 0), 1) : 0.5;
  return 0;
}

static int mean_rhs(brink__extended *x, double t, const double *y, double *f)
{
  double w;
  int rc = share(x, t, y, &w);

  for (size_t k = 0; rc == 0 && k < x->side[0].flow.n; k++)
    f[k] = (1 - w) * x->side[0].f[k] + w * x->side[1].f[k];
  return rc;
}

static int never_exits(brink__extended *x, double t, const double *y, double *value)
{
  (void)t, (void)y;
  for (int s = 0; s < x->active->n_surfaces; s++)
    value[s] = -1;
  return 0;
}

static int never_leaves(brink__extended *x, int surface, double t, const double *y)
{
  (void)x, (void)surface, (void)t, (void)y;
  return 0;
}

static brink_status mean_values(brink__extended *x, double t, const double *y,
                                double *out, brink_err *err)
{
  const brink_model *m = x->inner;
  const brink__side *s = x->side;
  double *v = x->variables, w;

  if (share(x, t, y, &w) != 0 || mean_rhs(x, t, y, x->slope) != 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t,
                          "the averaged law has no value at t = %.9g", t);
  BRINK_TRY(m->ops->values(m, s[0].live, s[0].mode, t, y, out, err));
  BRINK_TRY(m->ops->values(m, s[1].live, s[1].mode, t, y, v, err));
  for (size_t k = 0; k < m->n_vars; k++)
    if (m->vars[k].type == BRINK_REAL && v[k] != out[k])
      out[k] += w * (v[k] - out[k]);
  return BRINK_OK;
}

static int mean_delayed(brink__extended *x, double t, const double *y, double *v)
{
  double w;
  int rc = share(x, t, y, &w);

  for (int i = 0; i < 2 && rc == 0; i++)
    rc = brink__mix_delayed(x, i, w, t, y, v);
  return rc;
}

static const brink__law mean = {.enters = BRINK_KIND_ZENO,
                                .leaves = BRINK_KIND_ZENO,
                                .rhs = mean_rhs,
                                .project = no_projection,
                                .exit = never_exits,
                                .leave = never_leaves,
                                .values = mean_values,
                                .delayed = mean_delayed};

/* The two laws; 0: there are not two, or the event between them changes the state. */
static int take_laws(brink__extended *x)
{
  const brink_sim *sim = x->sim;
  const brink__past_zeno *c = &sim->past_zeno;

  if (c->n != 2)
    return 0;
  BRINK_TRY(brink__side_copy(x, 1, 0));
  memset(x->hit, 0, (size_t)x->inner->max_guards);
  x->hit[c->event[0].guard] = (signed char)c->event[0].dir;
  return brink__side_event(x, 1, sim->t, sim->y, x->hit);
}

/* ----------------------------------------------------------------- propose --- */

/* The side on which the guard of event i counts: where the event is still to come if it
 * is its turn, else where it is. */
static int side_of(const brink__extended *x, int i)
{
  const brink__past_zeno *c = &x->sim->past_zeno;
  int sign = x->side[0].sign[c->event[i].guard];

  return i == c->turn || sign == 0 ? -c->event[i].dir : sign;
}

int brink__past_zeno_propose(brink__extended *x, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  brink__past_zeno *c = &sim->past_zeno;
  int averages = c->policy == BRINK_ZENO_AVERAGE;

  brink__side_own(x);
  if (averages) {
    int rc = take_laws(x);
    if (rc <= 0)
      return rc;
  }
  if (!(sim->t < c->until)) { /* a new delay, after the event whose turn it was */
    c->turn = (c->turn + (c->until > -HUGE_VAL)) % c->n;
    c->until = sim->t + c->delay;
  }
  for (int i = 0; i < c->n; i++)
    if (c->event[i].mode == sim->mode)
      out->hold[out->n++] = (brink__hold){.guard = c->event[i].guard,
                                          .surface = out->n_surfaces++,
                                          .sign = side_of(x, i)};
  out->law = averages ? &mean : &delayed;
  return out->n > 0;
}

void brink__past_zeno_begin(brink_sim *sim, const brink__limit *l)
{
  const brink__accumulation *a = &sim->accumulation;
  brink__past_zeno *c = &sim->past_zeno;

  *c = (brink__past_zeno){
      .policy = (int)sim->opt.zeno, .delay = brink__zeno_gap(sim), .until = -HUGE_VAL};
  for (long o = a->n - l->period; o < a->n; o++) {
    int j = a->parts[o % BRINK__OCCURRENCES] - 1;
    const brink__part *part = &a->part[o % BRINK__PERIOD][j];
    int k = 0, n = brink__mode_info(sim, part->mode)->n_guards;
    while (k + 1 < n && !part->hit[k])
      k++;
    c->event[c->n++] =
        (brink__past_zeno_event){.mode = part->mode, .guard = k, .dir = part->hit[k]};
  }
}
