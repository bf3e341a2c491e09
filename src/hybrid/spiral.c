/* spiral.c -- solutions that turn round the corner of two switches, ever closer.
 *
 * Where four laws lead round a corner, a turn multiplies the distance to it by a number
 * that the laws at the corner give.  Below 1 the turns accumulate after finite time,
 * and the run passes that point (accumulation.c).  Where it is 1, as in networks
 * x' = a(y) - x, y' = b(x) - y whose steps a and b each depend on the other state only,
 * terms of higher order decide: with z -> z - c z^p the distance falls like
 * k^(-1/(p-1)) with the number k of turns, and in finite time it never comes to 0.
 * The events are real, and there are e^t of them.
 *
 * They are carried out until nobody can see them: while a turn takes the time P, a
 * state goes to and fro by at most
 *
 *   P u d/(u + d),   u, d: the most by which a law exceeds their mean and falls short
 *                    of it.
 *
 * Where half of that is below the tolerance of every state, or where the guards stay
 * within a width that the user allows for (sliding_width), both switches are held.  The
 * mean of the laws along a turn is that of sliding along both only if what they change
 * adds up; otherwise the turns go on.
 *
 * That the turns become closer is seen, not computed: the time of a turn is compared
 * after 2, 4, 8, ... of them, so that any power of k shows, and must have become
 * shorter each time by more than the rounding of the events between can have made it.
 * Turns that keep their size or grow are never held.
 */
#include "hybrid/surfaces.h"

#include <float.h>
#include <math.h>

/* Events of a turn. */
enum { TURN = 4 };

/* So many times in a row a turn must have become shorter: one time may be a
 * disturbance. */
enum { LOOKS = 3 };

/* Each event is placed off its zero by so many roundings at most, perhaps always to the
 * same side. */
static const double ROUNDINGS = 16;

/* Laws add up, up to this. */
static const double SAME_LAW = 1e-9;

/* So many events are worth a word. */
static const double MANY_EVENTS = 1e5;

/* ------------------------------------------------------------------ record --- */

/* Are the last four events those of the turn before?  *period: the time they took. */
static int repeats(const brink__history *h, double *period)
{
  *period = 0;
  for (int i = 0; i < TURN; i++) {
    const brink__occurrence *a = brink__history_last(h, i),
                            *b = brink__history_last(h, i + TURN);
    if (!b || a->event < 0 || a->event != b->event ||
        a->mode_before != b->mode_before || (a->classes & BRINK_SE_S))
      return 0;
    *period += a->gap;
  }
  return 1;
}

/* What the time of a turn may be off by after so many events. */
static double uncertainty(brink_sim *sim, double period, long events)
{
  const brink__guards *g = &sim->regime->guards;
  double part = 0;

  for (int k = 0; k < g->n; k++)
    if (!brink__on_zero(&g->watch[k]))
      part = brink__max(part, brink__guard_resolution(sim, k) / fabs(g->watch[k].g));
  return ROUNDINGS * (double)events * (DBL_EPSILON * fabs(sim->t) + part * period);
}

int brink__spiral_possible(brink_sim *sim)
{
  brink__spiral *s = &sim->history.spiral;
  double period;

  if (!repeats(&sim->history, &period)) {
    *s = (brink__spiral){0};
    return 0;
  }
  if (++s->events == s->next_look || s->events == 1) {
    int shorter = s->period - period > uncertainty(sim, period, s->events);
    s->shorter = shorter ? s->shorter + 1 : 0;
    s->period = period;
    s->next_look = 2 * (s->events < TURN ? TURN : s->events);
  }
  return s->shorter >= LOOKS && (s->held_below == 0 || period <= s->held_below);
}

/* ------------------------------------------------------------------ corner --- */

/* Does what the two surfaces change add up, in every state? */
static int adds_up(const brink__extended *x)
{
  for (size_t m = 0; m < x->side[0].flow.n; m++) {
    double sum = 0, size = 0;
    for (int i = 0; i < 4; i++) {
      sum += (i == 0 || i == 3 ? 1 : -1) * x->side[i].f[m];
      size += fabs(x->side[i].f[m]);
    }
    if (fabs(sum) > SAME_LAW * size)
      return 0;
  }
  return 1;
}

/* Half the way to and fro, in a turn, of what has these rates on the sides and `mean`
 * in the mean. */
static double half_way(const double *rate, double mean, double period)
{
  double up = 0, down = 0;

  for (int i = 0; i < 4; i++) {
    up = brink__max(up, rate[i] - mean);
    down = brink__max(down, mean - rate[i]);
  }
  return up > 0 && down > 0 ? 0.5 * period * up * down / (up + down) : 0;
}

/* How wide is a turn, in units of what cannot be seen?  The mean is in x->slope. */
static double width_of(const brink__extended *x, double r[][BRINK__SLIDING_SURFACES],
                       double period)
{
  const brink_sim *sim = x->sim;
  double widest = 0, rate[4];

  for (int s = 0; brink__width_is_given(sim) && s < 2; s++) {
    for (int i = 0; i < 4; i++)
      rate[i] = r[i][s];
    widest = brink__max(widest, half_way(rate, 0, period) / brink__sliding_width(sim));
  }
  if (brink__width_is_given(sim))
    return widest;
  for (size_t m = 0; m < x->side[0].flow.n; m++) {
    double unit = brink__integrator_tolerance(sim->regime->it, m, sim->y[m]);
    for (int i = 0; i < 4; i++)
      rate[i] = x->side[i].f[m];
    widest = brink__max(widest, half_way(rate, x->slope[m], period) / unit);
  }
  return widest;
}

/* The corner of the surface of guard k, which is ahead of the law, and of the one that
 * was just crossed: 1: both can be held, s has them, the sides are made and x->slope is
 * their law; 0: no; or an error. */
static int try_corner(brink__extended *x, brink__surfaces *s, int k,
                      double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  brink__side *own = &x->side[0];
  double weight[BRINK__SLIDING_SURFACES];

  own->on_zero[k] = 1; /* on all sides: guards that are no farther count as zero */
  if (!brink__surface_add(x, s, k, -own->sign[k], 1, sim->t, sim->y, own->f))
    return 0;
  int found = brink__decide_corner(x, s, sim->t, sim->y, r);
  if (found <= 0 || !adds_up(x) || !brink__sliding_weights(r, s->n, 1, weight))
    return found < 0 ? found : 0;
  brink__sliding_mix(x, weight, s->n, x->slope);
  brink__sliding_share(x, weight, s->n);
  return 1;
}

/* The turn is too wide: when may it be looked at again, and is that worth a word? */
static void wait(brink_sim *sim, const brink__surfaces *s, double width, double period)
{
  brink__spiral *spiral = &sim->history.spiral;
  const brink__guard *info = sim->regime->guards.info;
  double expected =
      brink__min(width * (double)spiral->events, TURN * (sim->t_end - sim->t) / period);

  spiral->held_below = period / width;
  if (expected >= MANY_EVENTS)
    brink__remark(sim, BRINK__REMARK_SPIRAL,
                  "from t = %.6g on the solution turns round the corner of '%.60s' and "
                  "'%.60s' ever closer, but not in finite time, with %.2g events or "
                  "more to come; if its mean is enough, set sliding_width",
                  brink__shown(sim, sim->t), info[s->p.hold[0].guard].name,
                  info[s->p.hold[s->p.n - 1].guard].name, expected);
}

/* Both are held from here on: put sim->y onto the corner. */
static int settle(brink__extended *x, const brink__surfaces *s,
                  double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  const brink__guard *info = sim->regime->guards.info;
  double off[BRINK__SLIDING_SURFACES] = {0};

  for (int i = s->p.n - 1; i >= 0; i--) {
    const brink__hold *hold = &s->p.hold[i];
    off[hold->surface] = hold->level - x->side[0].g[hold->guard];
  }
  brink__remark(sim, BRINK__REMARK_CORNER,
                "from t = %.15g on the solution stays at the corner of '%.60s' and "
                "'%.60s', round which it turns ever closer: its turns are below %s; "
                "with sliding = chatter every event is carried out",
                brink__shown(sim, sim->t), info[s->p.hold[0].guard].name,
                info[s->p.hold[s->p.n - 1].guard].name,
                brink__width_is_given(sim) ? "sliding_width" : "the tolerances");
  if (s->p.law == &brink__sliding_law && brink__sliding_move(x, r, s->n, off, sim->y))
    BRINK_TRY(brink__arm_moved(sim, s));
  return 1;
}

int brink__spiral_add(brink__extended *x, brink__surfaces *s,
                      double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  brink__spiral *spiral = &sim->history.spiral;
  const brink__side *own = &x->side[0];
  double period, rate;

  if (spiral->shorter < LOOKS || !repeats(&sim->history, &period))
    return 0;
  spiral->held_below = 0.5 * period; /* if it is none, it is not asked too often */
  for (int k = 0; k < sim->regime->guards.n; k++) {
    if (own->on_zero[k] || !brink__is_switch(x, k) || !brink__side_acts(x, 0, k) ||
        !brink__side_rate(x, 0, k, sim->t, sim->y, own->f, &rate) ||
        !(rate * own->sign[k] < 0 && fabs(own->g[k] / rate) <= period))
      continue;
    brink__surfaces both = *s;
    int found = try_corner(x, &both, k, r);
    double width = found > 0 ? width_of(x, r, period) : 0;
    if (found < 0)
      return found;
    if (found > 0 && width <= 1) {
      *s = both;
      return settle(x, s, r);
    }
    own->on_zero[k] = 0;
    if (found > 0)
      wait(sim, &both, width, period);
  }
  return 0;
}
