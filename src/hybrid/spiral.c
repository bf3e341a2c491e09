/* spiral.c -- solutions that turn ever closer round the corner of two switches, or
 * about the zero of one that acts on the second derivative of its guard.
 *
 * Where four laws lead round a corner, a turn multiplies the distance to it by a number
 * that the laws at the corner give.  Below 1 the turns accumulate after finite time,
 * and the run passes that point (accumulation.c).  Where it is 1, as in networks
 * x' = a(y) - x, y' = b(x) - y whose steps a and b each depend on the other state only,
 * terms of higher order decide: with z -> z - c z^p the distance falls like
 * k^(-1/(p-1)) with the number k of turns, and in finite time it never comes to 0.
 * A relay whose actuator has a lag, x' = u + d, u' = -(u + k sgn(x))/T, turns about
 * x = 0, u = -d in the same way: the lag takes a part of a turn that tends to 0 with
 * it. The events are real, and there are e^t of them.
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
 * adds up; otherwise the turns go on.  A switch of second order is held with the
 * derivative of its guard (second_order.c) where the state is no farther from there
 * than these tolerances, and goes no farther in a quarter of a turn.
 *
 * That the turns become closer is seen, not computed: the time of a turn is compared
 * after 2, 4, 8, ... of them, so that any power of k shows, and must have become
 * shorter each time by more than the rounding of the events between can have made it.
 * Turns that keep their size or grow are never held.
 */
#include "hybrid/surfaces.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Events of a turn round a corner; about one switch there are two in a turn, or four of
 * a sign(), which has two relations. */
enum { TURN = 4 };

/* So many times in a row a turn must have become shorter: one time may be a
 * disturbance. */
enum { LOOKS = 3 };

/* Each event is placed off its zero by so many roundings at most, perhaps always to the
 * same side. */
static const double ROUNDINGS = 16;

/* So many events are worth a word, and after as many turns may be passed over that can
 * be seen. */
static const long MANY_EVENTS = 100000;

/* ------------------------------------------------------------------ record --- */

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

  if (!brink__history_repeats(&sim->history, TURN, &period)) {
    *s = (brink__spiral){0};
    return 0;
  }
  if (++s->events == s->next_look || s->events == 1) {
    int shorter = s->period - period > uncertainty(sim, period, s->events);
    s->shorter = shorter ? s->shorter + 1 : 0;
    s->period = period;
    s->next_look = 2 * (s->events < TURN ? TURN : s->events);
  }
  s->due = s->shorter >= LOOKS && (s->held_below == 0 || period <= s->held_below ||
                                   s->events % MANY_EVENTS == 0);
  return s->due;
}

/* ------------------------------------------------------------------ corner --- */

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
static double width_of(const brink__extended *x, const brink__surfaces *both,
                       double r[][BRINK__SLIDING_SURFACES], double period)
{
  brink_sim *sim = x->sim;
  double widest = 0, rate[4];

  for (int s = 0; brink__width_is_given(sim) && s < 2; s++) {
    for (int i = 0; i < 4; i++)
      rate[i] = r[i][s];
    int k = brink__leader(both->p.hold, s)->guard;
    widest =
        brink__max(widest, half_way(rate, 0, period) / brink__sliding_width(sim, k));
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
  if (found <= 0 || s->n < BRINK__SLIDING_SURFACES || !brink__adds_up(x) ||
      !brink__sliding_weights(r, s->n, 1, s->p.hold, weight))
    return found < 0 ? found : 0;
  brink__sliding_mix(x, weight, s->n, x->slope);
  brink__sliding_share(x, weight, s->n);
  return 1;
}

/* -------------------------------------------------- second order --- */

/* The time of a turn about one switch, of the time of four events. */
static double one_turn(const brink__history *h, double period)
{
  for (int i = 0; i < TURN / 2; i++)
    if (brink__history_last(h, i)->event != brink__history_last(h, i + TURN / 2)->event)
      return period;
  return period / 2;
}

/* How far is a turn about guard k from y, which is on its zero and on that of its
 * derivative, in units of what cannot be seen?  The laws of the sides are mixed by
 * x->share; f is the present one.  (The guard itself goes to and fro like the square of
 * the time of a turn, what drives it like that time: the root is taken of the first.)
 */
static double distance(brink__extended *x, int k, const double *f, const double *y,
                       double turn)
{
  brink_sim *sim = x->sim;
  size_t n = x->side[0].flow.n;
  double rate, widest = 0, *mean = x->slope;

  if (!brink__side_rate(x, 0, k, sim->t, sim->y, f, &rate))
    return HUGE_VAL;
  if (brink__width_is_given(sim))
    return sqrt(0.25 * turn * fabs(rate) / brink__sliding_width(sim, k));
  brink__fill_bytes(mean, 0, n * sizeof *mean);
  for (int i = 0; i < x->n_shares; i++) {
    if (brink__side_rhs(x, i, sim->t, y) != 0)
      return HUGE_VAL;
    for (size_t m = 0; m < n; m++)
      mean[m] += x->share[i] * x->side[i].f[m];
  }
  for (size_t m = 0; m < n; m++) {
    double off = brink__max(fabs(y[m] - sim->y[m]), 0.25 * turn * fabs(f[m] - mean[m]));
    widest = brink__max(
        widest, off / brink__integrator_tolerance(sim->regime->it, m, sim->y[m]));
  }
  return widest;
}

/* ------------------------------------------------------------------ decision --- */

/* A turn, described by `what`, is `width` times as wide as what cannot be seen: is it
 * passed over?  If not, when may it be looked at again, and is that worth a word? */
static int is_passed_over(brink_sim *sim, const char *what, double width, double period)
{
  brink__spiral *spiral = &sim->history.spiral;
  double t = brink__shown(sim, sim->t),
         expected = brink__min(width * (double)spiral->events,
                               TURN * (sim->t_end - sim->t) / period);
  int many = expected >= (double)MANY_EVENTS, given = brink__width_is_given(sim);

  if (width <= 1) {
    brink__remark(
        sim, BRINK__REMARK_CORNER,
        "from t = %.15g on the solution stays where it turned %s ever closer: "
        "its turns are below %s; with sliding = chatter every event is "
        "carried out",
        t, what, given ? "sliding_width" : "the tolerances");
    return 1;
  }
  if (many && !given && spiral->events >= MANY_EVENTS &&
      width * sqrt(sim->opt.rtol) <= 1) {
    brink__remark(
        sim, BRINK__REMARK_CORNER,
        "from t = %.15g on the solution stays where it turned %s ever closer: "
        "its turns are %.2g tolerances wide, and %.2g events were to come "
        "before they are below them; with sliding = chatter every event is "
        "carried out, with sliding_width more or fewer",
        t, what, width, expected);
    return 1;
  }
  spiral->held_below = period / width;
  if (many)
    brink__remark(
        sim, BRINK__REMARK_SPIRAL,
        "from t = %.6g on the solution turns %s ever closer, but not in finite "
        "time, with %.2g events or more to come; if its mean is enough, set "
        "sliding_width",
        t, what, expected);
  return 0;
}

enum { WHAT = 160 };

static void say_corner(const brink_sim *sim, const brink__surfaces *s, char *what)
{
  const brink__guard *info = sim->regime->guards.info;

  snprintf(what, WHAT, "round the corner of '%.60s' and '%.60s'",
           info[s->p.hold[0].guard].name, info[s->p.hold[s->p.n - 1].guard].name);
}

/* Both surfaces are held from here on: put sim->y onto the corner. */
static int settle(brink__extended *x, const brink__surfaces *s,
                  double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  double off[BRINK__SLIDING_SURFACES] = {0};

  for (int i = s->p.n - 1; i >= 0; i--) {
    const brink__hold *hold = &s->p.hold[i];
    off[hold->surface] = hold->level - x->side[0].g[hold->guard];
  }
  if (s->p.law == &brink__sliding_law && brink__sliding_move(x, r, s->n, off, sim->y))
    BRINK_TRY(brink__arm_moved(sim, s));
  return 1;
}

/* The surface of guard k, which was just crossed, and the one of a guard ahead: as
 * brink__spiral_add. */
static int add_corner(brink__extended *x, brink__surfaces *s, double period,
                      double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  const brink__side *own = &x->side[0];
  char what[WHAT];
  double rate;

  for (int k = 0; k < sim->regime->guards.n; k++) {
    if (own->on_zero[k] || !brink__is_switch(x, k) || !brink__side_acts(x, 0, k) ||
        !brink__side_rate(x, 0, k, sim->t, sim->y, own->f, &rate) ||
        !(rate * own->sign[k] < 0 && fabs(own->g[k] / rate) <= period))
      continue;
    brink__surfaces both = *s;
    int found = try_corner(x, &both, k, r);
    if (found < 0)
      return found;
    if (found > 0) {
      say_corner(sim, &both, what);
      if (is_passed_over(sim, what, width_of(x, &both, r, period), period)) {
        *s = both;
        return settle(x, s, r);
      }
    }
    own->on_zero[k] = 0;
  }
  return 0;
}

/* A switch of second order that was just crossed: the same. */
static int add_second_order(brink__extended *x, brink__surfaces *s, double period)
{
  brink_sim *sim = x->sim;
  const brink__side *own = &x->side[0];
  double *y = brink__work_row(sim, 0), *f = brink__work_row(sim, 3), rate;
  char what[WHAT];

  brink__copy(f, own->f, own->flow.n);
  for (int k = 0; k < sim->regime->guards.n; k++) {
    if (!brink__may_be_slid_along(x, k) || !brink__side_acts(x, 0, k) ||
        !brink__side_rate(x, 0, k, sim->t, sim->y, f, &rate) ||
        !(rate * own->sign[k] > 0))
      continue;
    brink__surfaces about;
    int found = brink__second_order_at(x, k, -own->sign[k], &about, y);
    if (found < 0)
      return found;
    if (found == 0)
      continue;
    snprintf(what, sizeof what, "about the zero of '%.60s' and of its derivative",
             sim->regime->guards.info[k].name);
    double width = distance(x, k, f, y, one_turn(&sim->history, period));
    if (!is_passed_over(sim, what, width, period))
      continue;
    brink__copy(sim->y, y, own->flow.n);
    *s = about;
    BRINK_TRY(brink__arm_moved(sim, s));
    return 1;
  }
  return 0;
}

int brink__spiral_add(brink__extended *x, brink__surfaces *s,
                      double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  brink__spiral *spiral = &sim->history.spiral;
  double period;

  if (!spiral->due || !brink__history_repeats(&sim->history, TURN, &period))
    return 0;
  spiral->due = 0;
  spiral->held_below = 0.5 * period; /* if it is none, it is not asked too often */
  int found = add_corner(x, s, period, r);
  if (found == 0 && s->p.law == &brink__sliding_law)
    found = add_second_order(x, s, period);
  return found;
}
