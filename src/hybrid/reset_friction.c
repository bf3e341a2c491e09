/* reset_friction.c -- friction that is written in an impact, in a body at rest.
 *
 * An impulse p (n - mu sign(s) t) pushes against the motion s along the surface, and
 * can do no more than stop it.  While s is not 0, the direction of the reaction is what
 * the event shows for speeds of approach that are small beside s.  A model that says
 * that s is stopped (by min, or by if) has events that change the state by some amount
 * whatever the speed of approach, if that is large beside s; one that does not (by sign
 * alone) has events that turn s around.  Both tell where s is 0.
 *
 * There rest is the limit of ever smaller bounces.  In the time between two of them the
 * law f brings about a speed of approach, and a change of s: the event is asked with
 * both, and either stops s, so that the body sticks, or does not.  That holds for any
 * number of speeds along the surface, for rolling, moving surfaces and several
 * contacts, which share what they have to stop in proportion to their reactions, and
 * for events that stop s without a bound.
 *
 * Cost: two to four events for each direction; 52 more where s is 0 and friction has no
 * bound.  Where nothing slips, that is asked a little before and after as well, whether
 * the surface changes its speed: twice, and four times if it does.
 */
#include "hybrid/reset_reading.h"

#include <string.h>

/* Readings of different speeds are the same; and: they belong to one direction. */
static const double SAME = 0x1p-40, AGREE = 0x1p-6;

/* Speeds of approach, in parts of the sizes of states, that are small beside s: 32 bits
 * are left for what the event does; and, while s is on its way through 0, 20. */
static const double GENTLE = 0x1p-20, GENTLEST = 0x1p-32;

/* The part along the surface of a change v of the states that the event touches. */
static int part_along(brink__contacts *c, const brink__hold *hold, double t,
                      const double *y, double *v)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  const double *w = c->way + (size_t)hold->guard * c->n;
  brink__estimate up;

  for (size_t i = 0; i < c->n; i++)
    v[i] = touched[i] ? v[i] : 0;
  if (!brink__lie_across(&c->lie, hold->guard, t, y, 1, v, &up))
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    double across = hold->inside * up.value / c->slope[hold->guard] * w[i],
           sum = v[i] + across;
    v[i] = fabs(sum) <= brink__reading_rounding(c) * fabs(across) ? 0 : sum;
  }
  return 1;
}

/* A change of state i is none beside c->moved, what the event does to all of them. */
static double no_change(const brink__contacts *c, const double *y, size_t i)
{
  double most = 0;

  for (size_t j = 0; j < c->n; j++)
    most = brink__max(most, fabs(c->moved[j]) / c->lie.unit[j]);
  return 4 * brink__reading_rounding(c) * brink__reading_size(c, y, i) +
         SAME * most * c->lie.unit[i];
}

/* What the event does whatever the speed of approach, from what it does for one of them
 * and, in the next row of c->moved, for half of it.  1: it does something. */
static int whatever_speed(const brink__contacts *c, const brink__hold *hold,
                          const double *y, double *stop)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  const double *whole = c->moved, *half = c->moved + c->n;
  int any = 0;

  for (size_t i = 0; i < c->n; i++) {
    double both = 2 * half[i] - whole[i];
    stop[i] = touched[i] && fabs(both) > no_change(c, y, i) ? both : 0;
    any |= stop[i] != 0;
  }
  return any;
}

/* Does what the event does, which is c->moved, depend on the motion along the surface,
 * if that is changed by so much of `along`? */
static int depends_on_motion(brink__extended *x, brink__contacts *c,
                             const brink__hold *hold, double t, const double *y,
                             double part, double much, const double *along)
{
  double *there = c->base, *moved = c->moved + c->n, most = 0, apart = 0, ignored;

  for (size_t i = 0; i < c->n; i++)
    there[i] = y[i] + much * along[i];
  if (!brink__reading_event(x, c, hold, t, there, part, moved, &ignored))
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    most = brink__max(most, fabs(c->moved[i]) / c->lie.unit[i]);
    apart = brink__max(apart, fabs(moved[i] - c->moved[i]) / c->lie.unit[i]);
  }
  return apart > AGREE * most;
}

/* When a face is looked at first, the event is asked with all speeds along it changed
 * by these parts of their sizes, to both sides: surfaces may move. */
static const double FASTER[] = {0x1p4, -0x1p4, 0x1p12, -0x1p12};

/* The part of a fast motion along the surface that the event keeps, if it takes the
 * rest whatever the speed of approach.  Such an event, again and again, stops all of
 * it. */
static double part_kept(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                        double t, const double *y, double part, const double *along)
{
  double *there = c->base, *first = c->other, *second = c->f, ignored, sum = 0,
         square = 0, *row[2] = {first, second};

  for (size_t i = 0; i < c->n; i++)
    there[i] = y[i] + FASTER[0] * along[i];
  for (int k = 0; k < 2; k++) {
    if (!brink__reading_event(x, c, hold, t, there, part, c->moved, &ignored) ||
        !brink__reading_event(x, c, hold, t, there, part - 0.5, c->moved + c->n,
                              &ignored) ||
        !whatever_speed(c, hold, there, row[k]))
      return 0;
    for (size_t i = 0; i < c->n; i++)
      there[i] += row[k][i];
  }
  for (size_t i = 0; i < c->n; i++) {
    double unit = c->lie.unit[i] * c->lie.unit[i];
    sum += first[i] * second[i] / unit;
    square += first[i] * first[i] / unit;
  }
  return sum > 0 && sum < square ? sum / square : 0;
}

void brink__find_friction(brink__extended *x, brink__contacts *c,
                          const brink__hold *hold, double t, const double *y)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double *along = c->stop, off, speed, change;
  int n = 0;

  if (c->lie.flow.project) /* speeds on constraints are not changed at will */
    return;
  for (size_t i = 0; i < c->n; i++) {
    n += touched[i];
    along[i] = (1 + 0.618 * (double)(i % 7)) * brink__reading_size(c, y, i);
  }
  if (hold->degree != 2 || n < 2 || !part_along(c, hold, t, y, along) ||
      !brink__reading_approach(c, hold, t, y, BRINK__APPROACH, &off, &speed) ||
      !brink__reading_event(x, c, hold, t, y, off + 1, c->moved, &change))
    return;
  for (size_t i = 0; i < BRINK__COUNT(FASTER); i++)
    if (depends_on_motion(x, c, hold, t, y, off + 1, FASTER[i], along))
      c->known[hold->guard] |= BRINK__FRICTION;
  if (c->known[hold->guard] & BRINK__FRICTION)
    c->kept[hold->guard] = part_kept(x, c, hold, t, y, off + 1, along);
}

/* Does the event push against `push`, which is along the surface, if s is changed by so
 * much of it? */
static int pushes_back(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                       double t, const double *y, double part, double much,
                       const double *push)
{
  const double *unit = c->lie.unit;
  double *there = c->base, *moved = c->moved + c->n, ignored, sum = 0;

  for (size_t i = 0; i < c->n; i++)
    there[i] = y[i] + much * push[i];
  if (!brink__reading_event(x, c, hold, t, there, part, moved, &ignored))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    sum += moved[i] / unit[i] * (push[i] / unit[i]);
  return sum < 0;
}

/* Halvings of the part of a push that stops s; what is left of s then. */
enum { HALVINGS = 52 };
static const double STOPPED = 0x1p-36;

/* Friction that is written without a bound turns s around: the part of the push in
 * c->moved that stops it.  1: all of it, since s is not turned; the push along the
 * surface is left in `push`. */
static double part_that_stops(brink__extended *x, brink__contacts *c,
                              const brink__hold *hold, double t, const double *y,
                              double part, double *push)
{
  double low = 0, high = 1;

  brink__copy(push, c->moved, c->n);
  if (!part_along(c, hold, t, y, push) ||
      !pushes_back(x, c, hold, t, y, part, high, push))
    return 1;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = 0.5 * (low + high);
    if (pushes_back(x, c, hold, t, y, part, middle, push))
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* What the event does to speeds along the surface whatever the speed of approach: that
 * of half the speed, twice, less that of the whole; or the part of it that stops them;
 * into `stop`.  1: it stops them, or has nothing to stop, since they are 0 up to
 * rounding.  What the whole does is left in c->moved. */
static int find_stop(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                     double t, const double *y, double size, double *stop,
                     double *change)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double *whole = c->moved, *half = c->moved + c->n, off, speed, ignored;
  int any = 0;

  if (!brink__reading_approach(c, hold, t, y, size, &off, &speed) ||
      !brink__reading_event(x, c, hold, t, y, off + 0.5, half, &ignored) ||
      !brink__reading_event(x, c, hold, t, y, off + 1, whole, change))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    any |= touched[i] && fabs(whole[i]) <= no_change(c, y, i);
  any |= whatever_speed(c, hold, y, stop);
  for (size_t i = 0; i < c->n; i++)
    stop[i] /= 1 - c->kept[hold->guard]; /* a part, again and again */
  if (any)
    return 1;
  double enough = part_that_stops(x, c, hold, t, y, off + 1, stop), reached = c->speed;
  for (size_t i = 0; i < c->n; i++)
    stop[i] *= enough;
  c->speed = reached;
  return enough < 1;
}

static int touch_one_state(const brink__contacts *c, int k, int l)
{
  const unsigned char *a = c->touched + (size_t)k * c->n,
                      *b = c->touched + (size_t)l * c->n;

  for (size_t i = 0; i < c->n; i++)
    if (a[i] && b[i])
      return 1;
  return 0;
}

/* What presses on the face: the acceleration that the law has towards it; or, where
 * other contacts stop the same motion, all their reactions, so that each has its part
 * in it. */
static double load(const brink__extended *x, brink__contacts *c,
                   const brink__hold *hold, double t, const double *y)
{
  double acceleration, sum = 0;
  int others = 0;

  for (int i = 0; i < x->n_faces; i++) {
    int k = x->face[i].guard;
    if (x->face[i].degree != 2 || !touch_one_state(c, hold->guard, k))
      continue;
    others += k != hold->guard;
    sum += c->load[k];
  }
  if (others && sum > 0)
    return sum;
  return brink__contact_derivative(c, hold->guard, 2, t, y, &acceleration)
             ? -hold->inside * acceleration
             : 0;
}

/* The motion of a surface is a difference over this part of the time in which the law
 * brings about the largest approach. */
static const double DIFFERENCE = 0x1p-6;

/* What the event stops at a time a little before or after t, where the states that it
 * does not touch have moved on by the law f, into `stop`. */
static int stop_at(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                   double t, const double *y, const double *f, double at, double *stop)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double *there = c->later, ignored;

  for (size_t i = 0; i < c->n; i++)
    there[i] = touched[i] ? y[i] : y[i] + (at - t) * f[i];
  return find_stop(x, c, hold, at, there, BRINK__APPROACH, stop, &ignored);
}

/* Add to c->drift what the event stops less from dt before to dt after t, times weight.
 * 0: it cannot be asked; *any: it stops something. */
static int add_difference(brink__extended *x, brink__contacts *c,
                          const brink__hold *hold, double t, const double *y,
                          const double *f, double dt, double weight, int *any)
{
  double *stop = c->f;

  for (int side = -1; side <= 1; side += 2) {
    if (!stop_at(x, c, hold, t, y, f, t + side * dt, stop))
      return 0;
    for (size_t i = 0; i < c->n; i++) {
      c->drift[i] -= side * weight * stop[i];
      *any |= stop[i] != 0;
    }
  }
  return 1;
}

/* How fast a surface that moves, by the law or with time, leaves a body behind, as a
 * rate of the speeds that the event touches, into c->drift: what it has to stop from
 * one time to the next.  y: nothing moves along the surface. */
static void find_drift(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                       double t, const double *y)
{
  double *f = c->moved + 2 * c->n, off, speed, presses = load(x, c, hold, t, y), dt = 0;
  int any = 0;

  memset(c->drift, 0, c->n * sizeof *c->drift);
  if (presses > 0 &&
      brink__reading_approach(c, hold, t, y, BRINK__APPROACH, &off, &speed) &&
      brink__lie_law(&c->lie, t, y, f) == 0)
    dt = t + DIFFERENCE * speed / presses - t; /* as t can tell */
  if (!(dt > 0))
    return;
  int known = add_difference(x, c, hold, t, y, f, dt, 8 / (12 * dt), &any);
  if (known && any)
    known = add_difference(x, c, hold, t, y, f, 2 * dt, -1 / (12 * dt), &any);
  if (!known)
    memset(c->drift, 0, c->n * sizeof *c->drift);
}

/* Add to the approach in c->gradient, which has this speed, the change of s that the
 * law, and the surface, bring about while the law brings about that speed; rebound:
 * what the event makes of a speed of approach of 1. */
static int add_motion_along(const brink__extended *x, brink__contacts *c,
                            const brink__hold *hold, double t, const double *y,
                            double rebound, double speed)
{
  double *f = c->moved + 2 * c->n, presses = load(x, c, hold, t, y);

  if (brink__lie_law(&c->lie, t, y, f) != 0 || !(presses > 0) ||
      !part_along(c, hold, t, y, f))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    c->gradient[i] += rebound * speed / presses * (f[i] + c->drift[i]);
  return 1;
}

/* What stops a motion has undone it, to the last bit. */
static void undo_motion(brink__contacts *c, const brink__hold *hold, const double *y,
                        double part)
{
  const double *w = c->way + (size_t)hold->guard * c->n;
  double kept = c->kept[hold->guard];

  for (size_t i = 0; i < c->n; i++) {
    double left = (1 - kept) * part * c->gradient[i] + c->moved[i];
    if (w[i] == 0 && c->gradient[i] != 0 &&
        fabs(left) <= 4 * brink__reading_rounding(c) * brink__reading_size(c, y, i))
      c->moved[i] = -part * c->gradient[i];
  }
}

/* The event at y, where nothing moves along the surface, with the motion along it that
 * the law brings about.  *change as of brink__reading_event(). */
static int stopping_event(brink__extended *x, brink__contacts *c,
                          const brink__hold *hold, double t, const double *y,
                          double rebound, double *change)
{
  double off, speed, *push = c->moved + 2 * c->n;

  find_drift(x, c, hold, t, y);
  if (!brink__reading_approach(c, hold, t, y, GENTLE, &off, &speed) ||
      !add_motion_along(x, c, hold, t, y, rebound, speed) ||
      !brink__reading_event(x, c, hold, t, y, off + 1, c->moved, change))
    return 0;
  double enough = part_that_stops(x, c, hold, t, y, off + 1, push);
  for (size_t i = 0; enough < 1 && i < c->n; i++)
    c->moved[i] -= (1 - enough) * push[i];
  undo_motion(c, hold, y, off + 1);
  return 1;
}

/* Has stopping_event undone the motion along the surface, in those states that `stop`
 * has changed? */
static int has_stopped(const brink__contacts *c, const double *stop)
{
  for (size_t i = 0; i < c->n; i++) {
    double size = brink__max(fabs(c->gradient[i]), GENTLE * c->lie.unit[i]);
    if (stop[i] != 0 && fabs(c->gradient[i] + c->moved[i]) > STOPPED * size)
      return 0;
  }
  return 1;
}

/* The event at y with s changed by `stop`, to 0.  1: it stays there; *change as of
 * brink__reading_event().
 */
static int stays_at(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                    double t, const double *y, const double *stop, double *change)
{
  double *there = c->stop, rebound = *change / c->speed;

  for (size_t i = 0; i < c->n; i++)
    there[i] = y[i] + stop[i];
  return !stopping_event(x, c, hold, t, there, rebound, change) || has_stopped(c, stop);
}

/* Has the event nothing to stop at y, or no more of a state than `part` of its size?
 * stop, *change: as of find_stop(). */
static int hardly_moves(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                        double t, const double *y, double size, double part,
                        double *stop, double *change)
{
  if (!find_stop(x, c, hold, t, y, size, stop, change))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    if (fabs(stop[i]) > part * brink__reading_size(c, y, i))
      return 0;
  return 1;
}

/* Stages of a step are less accurate than its end: of a body that sticks to a surface
 * which changes its speed they may slip.  Where the step begins with nothing to stop, a
 * body still sticks that friction stops within an approach of this size; and at its
 * end, if it slips by no more than this many tolerances. */
static const double STAGE = 0x1p-6, AT_END = 16;

/* Does the step under way begin with nothing to stop?  Asked once for each step. */
static int is_stuck(brink__extended *x, brink__contacts *c, const brink__hold *hold)
{
  const brink_sim *sim = x->sim;
  unsigned char *known = &c->known[hold->guard];
  double n = (double)sim->stats.instants, ignored;

  if (c->stuck_t[hold->guard] != sim->t || c->stuck_n[hold->guard] != n) {
    c->stuck_t[hold->guard] = sim->t;
    c->stuck_n[hold->guard] = n;
    *known &= (unsigned char)~BRINK__STUCK;
    if (hardly_moves(x, c, hold, sim->t, sim->y, GENTLE, 0, c->other, &ignored))
      *known |= BRINK__STUCK;
  }
  return (*known & BRINK__STUCK) != 0;
}

/* The direction d was read with speeds that are not small: what friction makes of it.
 */
int brink__with_friction(brink__extended *x, brink__contacts *c,
                         const brink__hold *hold, double t, const double *y, double *d)
{
  double *stop = c->other, change;

  if (!(c->known[hold->guard] & BRINK__FRICTION))
    return 1;
  int stuck = is_stuck(x, c, hold);
  if (!find_stop(x, c, hold, t, y, BRINK__APPROACH, stop, &change))
    return 1;
  if (stuck && find_stop(x, c, hold, t, y, STAGE, stop, &change) &&
      stays_at(x, c, hold, t, y, stop, &change)) {
    c->stopping = 1;
  } else if (find_stop(x, c, hold, t, y, GENTLE, stop, &change)) {
    c->stopping = 1;
    if (!stays_at(x, c, hold, t, y, stop, &change) &&
        find_stop(x, c, hold, t, y, GENTLEST, stop, &change))
      stays_at(x, c, hold, t, y, stop, &change); /* s is on its way through 0 */
  }
  for (size_t i = 0; i < c->n; i++)
    d[i] = c->moved[i] / change;
  return brink__all_finite(d, c->n);
}

int brink__reading_stop(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                        double t, double *y)
{
  double *stop = c->other, change;
  int any = 0;

  if (!(c->known[hold->guard] & BRINK__FRICTION))
    return 0;
  double slips = AT_END * x->sim->opt.rtol;
  if (!(is_stuck(x, c, hold) &&
        hardly_moves(x, c, hold, t, y, STAGE, slips, stop, &change)) &&
      !find_stop(x, c, hold, t, y, GENTLE, stop, &change))
    return 0;
  if (!stays_at(x, c, hold, t, y, stop, &change))
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    any |= stop[i] != 0;
    y[i] += stop[i];
    if (stop[i] != 0 && fabs(y[i]) <= 4 * brink__reading_rounding(c) * c->lie.unit[i])
      y[i] = 0;
  }
  return any;
}
