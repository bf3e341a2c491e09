/* contact_touch.c -- do bodies touch, up to rounding, and have they a speed?
 *
 * A speed counts as 0 if the flight that it begins would be over before time could
 * tell: 2 |L_f g| / |L_f^2 g| below the rounding of t, or below what the time of the
 * event is uncertain by; or if it would end before g could be told from 0, at a height
 * (L_f g)^2 / (2 |L_f^2 g|) that is rounding.
 *
 * Rounding is that of the states, not of the guard alone: where several events follow
 * each other at one time, the place of each is only known to that.
 */
#include "hybrid/contact.h"

#include <float.h>

/* How guard k was held before these instants; NULL: it was not. */
const brink__hold *brink__face_before(const brink__extended *x, int k)
{
  const brink__held *h = x->before;

  if (!h || h->base != x->sim->mode || h->held_by[k] < 0)
    return NULL;
  const brink__hold *hold = &h->hold[h->held_by[k]];
  return hold->degree ? hold : NULL;
}

/* What the time of the event is uncertain by; a locator of one guess says nothing that
 * could be counted on. */
static double uncertain(const brink_sim *sim, const brink__due *due)
{
  return sim->locator->rough ? 0 : due->width;
}

/* A flight that takes no longer cannot be told from none, by its time. */
static double shortest_flight(const brink_sim *sim, const brink__due *due)
{
  return brink__max(brink__time_slack(sim->t), uncertain(sim, due));
}

/* What rounding does to a guard: that of its states, ROUNDED of their sizes; on the
 * constraints of a system of higher index, where a projection has put them, PROJECTED
 * of the largest.  A guard that is farther from its zero than LOW of the largest state
 * is not asked about rounding. */
static const double LOW = 0x1p-36, ROUNDED = 16 * DBL_EPSILON,
                    PROJECTED = 128 * DBL_EPSILON;

static double largest_state(const brink_sim *sim)
{
  double size = 1;

  for (size_t i = 0; i < sim->regime->info->n; i++)
    size = brink__max(size, fabs(sim->y[i]));
  return size;
}

/* What rounding of the states does to guard k. */
static double rounding_of(brink_sim *sim, int k)
{
  brink__guards *g = &sim->regime->guards;
  const brink__watch *w = &g->watch[k];
  double *noise = brink__work_row(sim, 3), delta;
  brink_err ignored;

  if (sim->regime->flow.project)
    return brink__min(brink__max(w->band, fabs(w->g)), PROJECTED * largest_state(sim));
  for (size_t i = 0; i < g->n_states; i++)
    noise[i] = ROUNDED * fabs(sim->y[i]);
  brink_status rc =
      brink__guard_rounding(g, k, sim->t, sim->y, noise, BRINK__FAR, &delta, &ignored);
  return rc < 0 ? 0 : delta;
}

/* A face that was held may be off its zero by what a projection, and the polynomial of
 * the step up to an event, leave; its speed too. */
static const double WAS_ON_BOUND = 0x1p-40;

/* Was guard k held up to these instants, and has it not been moved by them? */
static int still_held(const brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];

  return sim->extended && brink__face_before(sim->extended, k) &&
         fabs(w->g) <= WAS_ON_BOUND * brink__max(1, w->scale);
}

/* Where faces or guards were held, the state at an event has been put back onto them,
 * by the error of the polynomial: so much of its size.  At an accumulation point it is
 * extrapolated, and not known better. */
static double put_back(const brink_sim *sim)
{
  int held = sim->extended && sim->extended->before;

  return held || sim->accumulation.passing ? sim->opt.rtol : 0;
}

/* Is guard k beyond its zero, where its event has brought it or another one at the same
 * time?  From there it may not come back far enough for its event to happen again. */
static int is_beyond(brink_sim *sim, int k)
{
  const brink__regime *r = sim->regime;
  const brink__watch *w = &r->guards.watch[k];
  size_t ng = (size_t)r->guards.n;
  signed char *before = sim->signs, *after = before + ng;

  brink__signs(sim, before);
  brink__copy_bytes(after, before, ng);
  before[k] = (signed char)-w->sign;
  return r->over(r, before, after) == BRINK__ACTS;
}

/* Is rounding no reason to take guard k for one that rests?  A locator of one guess
 * knows no better; and policies other than `continue` want to see the bounces, and
 * where they end.  A body that begins on its surface, or has rested there, has not
 * bounced. */
static int shows_bounces(const brink_sim *sim, int k)
{
  const brink__extended *x = sim->extended;

  return sim->locator->rough ||
         (sim->opt.zeno != BRINK_ZENO_CONTINUE &&
          sim->regime->guards.watch[k].crossed && !(x && brink__face_before(x, k)));
}

/* Do the bodies of guard k touch, up to rounding of the states?  Where several events
 * follow each other, the time of the first was found for that of its own guard; a guard
 * that was hit at this time has been found on its zero, as far as the locator can tell
 * the order of zeros. */
int brink__contact_touches(brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];

  if (brink__on_zero(w) || shows_bounces(sim, k))
    return brink__on_zero(w);
  double size = largest_state(sim);
  if (w->crossed && sim->t == sim->t_instant &&
      fabs(w->g) <= brink__max(LOW, put_back(sim)) * size)
    return 1;
  return fabs(w->g) <= LOW * size &&
         (still_held(sim, k) || fabs(w->g) <= rounding_of(sim, k) || is_beyond(sim, k));
}

/* A flight must be so many times as high as the band that its guard begins in, or as
 * rounding of the states, for the locator to see it outside: it reads a polynomial,
 * whose coefficients add roundings of their own. */
static const double SEEN = 4;

/* A flight from guard k that is no higher than this does not leave its zero: it stays
 * within rounding, or in the band that the guard begins in, perhaps beyond the zero. */
static double lowest_flight(brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];

  if (shows_bounces(sim, k) || !brink__contact_touches(sim, k))
    return 0;
  return SEEN * brink__max(rounding_of(sim, k), brink__watch_band(w) + fabs(w->g));
}

/* Is a flight with this speed and acceleration lower? */
static int is_low(brink_sim *sim, int k, double speed, double acceleration)
{
  const brink__watch *w = &sim->regime->guards.watch[k];
  double most = brink__max(LOW * largest_state(sim), fabs(w->g));

  if (speed * speed > 2 * acceleration * most)
    return 0; /* most flights are higher than any rounding */
  return speed * speed <= 2 * acceleration * lowest_flight(sim, k);
}

/* Is a flight with these derivatives over before time could tell?  acceleration: the
 * largest second derivative of the faces here.  (Its own may be 0, of two balls in free
 * fall, and that of the law which holds one of them is not.) */
int brink__is_brief(const brink_sim *sim, const brink__due *due, double acceleration,
                    const brink__estimate *e)
{
  double speed = fabs(e[1].value);

  return speed <= e[1].bound || 2 * speed <= shortest_flight(sim, due) * acceleration;
}

int brink__is_still(brink_sim *sim, const brink__due *due, int k, double acceleration,
                    const brink__estimate *e)
{
  double left = still_held(sim, k) ? WAS_ON_BOUND / DBL_EPSILON * e[1].bound : 0;

  return fabs(e[1].value) <= left || brink__is_brief(sim, due, acceleration, e) ||
         is_low(sim, k, e[1].value, acceleration);
}

/* The largest second derivative of the guards that are near their zeros. */
double brink__largest_acceleration(brink__extended *x, brink__contacts *c)
{
  const brink_sim *sim = x->sim;
  const brink__guards *g = &sim->regime->guards;
  brink__estimate e[BRINK__LIE_ORDER + 1];
  double acceleration = 0;

  for (int k = 0; k < g->n; k++)
    if (brink__contact_touches(x->sim, k) &&
        brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e) >= 2)
      acceleration = brink__max(acceleration, fabs(e[2].value));
  return acceleration;
}

/* ------------------------------------------------------------ is it possible? ---- */

/* A speed that is rounding beside the derivatives of the states; what they do in the
 * time that the event is uncertain by counts as well. */
static const double SLOW = 0x1p-40;

/* Guard k is on its zero; f: the law from here on; anew: it is another one than before,
 * or the run begins.  After a bounce it moves away, and after most other events on, as
 * before; then there is nothing to hold.  Where the run begins with a relation that
 * holds already, no event stops a body that moves on beyond, which is worth a word. */
static int may_stay(brink_sim *sim, const brink__due *due, int k, int anew, int begins,
                    const double *f)
{
  brink__guards *g = &sim->regime->guards;
  double rate, size = 0;

  for (size_t i = 0; i < g->n_states; i++)
    size = brink__max(size, fabs(f[i]));
  if (!brink__guard_rate(g, k, sim->t, sim->y, f, brink__rate_span(sim), &rate))
    return 0;
  if (fabs(rate) <= brink__max(SLOW, uncertain(sim, due)) * size ||
      is_low(sim, k, rate, size))
    return 1;
  if (begins && g->info[k].held && g->watch[k].sign * rate > 0)
    return 1;
  /* its own event, or one that came after it at the same time, has not turned it */
  return !anew && g->watch[k].crossed * rate > 0;
}

/* Policies other than `continue` want to see the bounces, and where they end: then a
 * body comes to rest by a plastic impact only, and not by one that had hardly any speed
 * left. */
static const double SOME_SPEED = 0x1p-20;

static int came_slowly(brink_sim *sim, const brink__due *due, int k)
{
  brink__guards *g = &sim->regime->guards;
  const brink_flow *flow = &sim->regime->flow;
  double *f = brink__work_row(sim, 1), size = 0, rate;

  if (sim->opt.zeno == BRINK_ZENO_CONTINUE ||
      (sim->opt.zeno == BRINK_ZENO_STEP && sim->accumulation.passing))
    return 0;
  if (flow->rhs(flow, sim->t, due->y, f) != 0 ||
      !brink__guard_rate(g, k, sim->t, due->y, f, brink__rate_span(sim), &rate))
    return 1;
  for (size_t i = 0; i < g->n_states; i++)
    size = brink__max(size, fabs(f[i]));
  return fabs(rate) <= SOME_SPEED * size;
}

/* Has the last event led to another mode? */
static int mode_changed(const brink_sim *sim)
{
  const brink__occurrence *last = brink__history_last(&sim->history, 0);

  return last && last->mode_before != last->mode_after;
}

/* What impacts and reflections change: states, and perhaps outputs. */
enum { RESETS = BRINK_SE_S | BRINK_SE_O };

int brink__contact_possible(brink_sim *sim, const brink__due *due, unsigned classes,
                            int begins)
{
  const brink__guards *g = &sim->regime->guards;
  const brink_flow *flow = &sim->regime->flow;
  double *f = brink__work_row(sim, 0);
  /* what has changed where a known time has joined the event may be its doing */
  int known = 0, timed = !begins && due->timed,
      switches = classes & ~(unsigned)RESETS && !timed, anew = begins || switches;

  /* an event that changes the mode, or no state, is no impact; but where events
   * accumulate, what they change in the state tends to nothing */
  if (switches && (!(classes & BRINK_SE_S) || mode_changed(sim)) &&
      !sim->accumulation.passing)
    return 0;
  for (int k = 0; k < g->n; k++) {
    /* a jump of callbacks that has changed no state is none that resets one; a text
     * puts a state onto the bound where it is already, and what happens at a known time
     * says nothing about the jump of a guard that is on its zero since before; at the
     * limit of impacts there is no speed left to be changed */
    int resets = begins || timed || (classes & BRINK_SE_S) || g->info[k].held ||
                 sim->accumulation.passing;
    if (!resets || !brink__contact_touches(sim, k))
      continue;
    if (!begins && came_slowly(sim, due, k))
      continue;
    if (!anew && !g->watch[k].crossed)
      return 1;
    if (!known && flow->rhs(flow, sim->t, sim->y, f) != 0)
      return 0;
    known = 1;
    if (may_stay(sim, due, k, anew, begins, f))
      return 1;
  }
  return 0;
}
