/* reset_reading.c -- the direction of a reaction, as the model's own event shows it.
 *
 * A body that meets a surface with the speed -v of approach gets an impulse, and the
 * event that the modeller wrote says which: y becomes y + p d, where p is proportional
 * to v.  A surface that carries the body pushes it in the same direction d, with the
 * friction that the event may contain.  So the event is carried out on a copy of the
 * live object, from the state y with a small speed of approach: y is moved so that L_f
 * g becomes -epsilon and g stays.  What it does to the state depends on the state, and
 * is asked anew wherever it is needed.
 *
 * In a system of higher index the approach is along the constraints, and what the event
 * does includes the impulses in them, so that d is along the constraints as well.
 *
 * Where half the speed does not give half the change, the event is no impulse and has
 * no reading: what would follow from it in the limit of small speeds is not known.
 */
#include "hybrid/reset_reading.h"

#include <float.h>
#include <string.h>

/* The approach moves states by this part of their size.  If the event is proportional
 * to the speed, the first is exact up to rounding.  If it is not, because the direction
 * depends on the speed or the place, the second is small enough for what is not
 * proportional to be extrapolated, and large enough for the change to have 36 bits. */
static const double APPROACH[] = {BRINK__APPROACH, 0x1p-16};

/* Gradients are differences over this part of the states. */
static const double DIFFERENCE = 0x1p-16;

/* Readings of different speeds are the same, and need no extrapolation; and: they
 * belong to one direction. */
static const double SAME = 0x1p-40, AGREE = 0x1p-6;

/* A change of a state by so many roundings of its size is none. */
static const double ROUNDING = 16 * DBL_EPSILON;

/* A way of approach serves elsewhere, too, as long as it gives the speed that it should
 * up to this part. */
static const double SAME_WAY = 0.25;

enum { PROBE = BRINK__SIDES - 1 }; /* which copy */

double brink__reading_size(const brink__contacts *c, const double *y, size_t i)
{
  return brink__max(fabs(y[i]), c->lie.unit[i]);
}

brink_status brink__reading_prepare(brink__extended *x)
{
  return brink__side_copy(x, PROBE, 0);
}

/* The gradient of L_f^order g by differences. */
static int gradient(brink__contacts *c, int k, int order, double t, const double *y,
                    double *out)
{
  double here, there, *at = c->after;

  if (!brink__contact_derivative(c, k, order, t, y, &here))
    return 0;
  brink__copy(at, y, c->n);
  for (size_t i = 0; i < c->n; i++) {
    double s = DIFFERENCE * brink__reading_size(c, y, i);
    at[i] = y[i] + s;
    if (!brink__contact_derivative(c, k, order, t, at, &there)) {
      at[i] = y[i] - s;
      if (!brink__contact_derivative(c, k, order, t, at, &there))
        return 0;
      s = -s;
    }
    out[i] = (there - here) / s;
    at[i] = y[i];
  }
  return 1;
}

/* In a system with constraints, states are on them up to so many roundings. */
static const double ON_CONSTRAINTS = 128 * DBL_EPSILON;

double brink__reading_rounding(const brink__contacts *c)
{
  return c->lie.flow.project ? ON_CONSTRAINTS : ROUNDING;
}

/* The change w of the state at y, which is on them, along the constraints of a system
 * of higher index: as what a projection leaves of it, over a part of the states' sizes.
 */
static int along_constraints(brink__contacts *c, double t, const double *y, double *w)
{
  const brink_flow *flow = &c->lie.flow;
  double *there = c->after, most = 0;

  if (!flow->project)
    return 1;
  for (size_t i = 0; i < c->n; i++)
    most = brink__max(most, fabs(w[i]) / brink__reading_size(c, y, i));
  if (!(most > 0 && most < HUGE_VAL))
    return 0;
  double s = ldexp(APPROACH[0], -ilogb(most));
  for (size_t i = 0; i < c->n; i++)
    there[i] = y[i] + s * w[i];
  if (flow->project(flow, t, c->lie.unit, there) < 0)
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    double change = there[i] - y[i];
    w[i] =
        fabs(change) <= ON_CONSTRAINTS * brink__reading_size(c, y, i) ? 0 : change / s;
  }
  return 1;
}

/* The change of the state that lowers sigma L_f^(r - 1) g most, in units of the states,
 * without moving g: into the guard's row of c->way, and by how much it does. */
static int find_way(brink__contacts *c, const brink__hold *hold, double t,
                    const double *y, const unsigned char *only)
{
  const double *unit = c->lie.unit;
  double *w = c->way + (size_t)hold->guard * c->n, *g = c->probe, *slopes = c->moved,
         along = 0, square = 0, *slope = &c->slope[hold->guard];

  if (!gradient(c, hold->guard, hold->degree - 1, t, y, w) ||
      (hold->degree == 2 && !gradient(c, hold->guard, 0, t, y, g)))
    return 0;
  for (size_t i = 0; only && i < c->n; i++)
    w[i] = only[i] ? w[i] : 0;
  for (size_t i = 0; hold->degree == 2 && i < c->n; i++) {
    if (only && !only[i])
      g[i] = 0;
    along += w[i] * unit[i] * unit[i] * g[i];
    square += g[i] * unit[i] * unit[i] * g[i];
  }
  for (size_t i = 0; i < c->n; i++) {
    double across = square > 0 ? w[i] - along / square * g[i] : w[i];
    slopes[i] = w[i];
    w[i] = -hold->inside * unit[i] * unit[i] * across;
  }
  if (!along_constraints(c, t, y, w))
    return 0;
  *slope = 0;
  for (size_t i = 0; i < c->n; i++)
    *slope -= hold->inside * slopes[i] * w[i];
  return 1;
}

int brink__reading_approach(brink__contacts *c, const brink__hold *hold, double t,
                            const double *y, double size, double *off, double *speed)
{
  const double *w = c->way + (size_t)hold->guard * c->n;
  double most = 0, here;

  for (size_t i = 0; i < c->n; i++)
    most = brink__max(most, fabs(w[i]) / brink__reading_size(c, y, i));
  if (!(most > 0 && most < HUGE_VAL) ||
      !brink__contact_derivative(c, hold->guard, hold->degree - 1, t, y, &here))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    c->gradient[i] = w[i] * size / most;
  *speed = c->slope[hold->guard] * size / most;
  *off = hold->inside * here / *speed;
  return 1;
}

/* The sign of guard k at y; 0: it is on its zero, or has no value. */
static int sign_at(const brink__extended *x, int k, double t, const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[PROBE];
  double g;

  if (m->ops->guard(m, s->live, s->mode, k, t, y, &g) != 0)
    return 0;
  return (g > 0) - (g < 0);
}

/* Would guard k going to the sign `to` be an event of its own, on another surface than
 * that of the face?  before: the signs that the live object knows; after: the same, and
 * scratch. */
static int is_an_event(const brink__extended *x, brink__contacts *c,
                       const brink__hold *hold, double t, const double *y,
                       const signed char *before, signed char *after, int k, int to)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[PROBE];
  signed char own = after[k];

  after[k] = (signed char)to;
  int effect = m->ops->triggers(m, s->live, s->mode, before, after);
  after[k] = own;
  return effect == BRINK__ACTS &&
         !brink__vanish_together(m, s->live, s->mode, hold->guard, k, t, y, c->after);
}

/* Signs of the guards at c->probe where the guard of the face goes to the sign `to`,
 * before that and with it; hits.  Other guards have the signs that the live object
 * knows (a method may ask beyond them, where their events are still to come), but for
 * those that the approach from y has changed: the speed in `x <= 0 and v < 0`.  Guards
 * with an event of their own keep theirs, too, unless they vanish where the face does:
 * where the approach leads beyond another bound, its event is none of the face. */
static void set_signs(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t, const double *y, int to)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[PROBE];
  int n = m->ops->mode_info(m, s->live, s->mode)->n_guards;
  signed char *before = c->signs, *after = before + n, *hit = after + n;

  brink__copy_bytes(hit, s->sign, (size_t)n);
  hit[hold->guard] = (signed char)hold->inside;
  brink__copy_bytes(after, hit, (size_t)n);
  for (int k = 0; k < n; k++) {
    int there = sign_at(x, k, t, c->probe), own = s->sign[k];
    int changed = there && there != own && (!own || there != sign_at(x, k, t, y));
    changed = changed && k != hold->guard &&
              !is_an_event(x, c, hold, t, y, hit, after, k, there);
    before[k] = (signed char)(changed ? there : own);
  }
  before[hold->guard] = (signed char)-to;
  brink__copy_bytes(after, before, (size_t)n);
  memset(hit, 0, (size_t)n);
  after[hold->guard] = hit[hold->guard] = (signed char)to;
}

/* On the copy, let the guard of the face go to the sign `to` at c->probe; the state
 * after that into c->after.  0: the run would not go on in the mode; *fired: so many
 * events happen.  c->signs are those of the guards. */
static int carry_out(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                     double t, int *fired)
{
  const brink_model *m = x->inner;
  const brink_sim *sim = x->sim;
  const brink__side *s = &x->side[PROBE];
  int n = m->ops->mode_info(m, s->live, s->mode)->n_guards;
  brink_err ignored;

  brink__instant inst = {.t = t,
                         .mode = s->mode,
                         .y_before = c->probe,
                         .sign_before = c->signs,
                         .sign = c->signs + n,
                         .hit = c->signs + 2 * n,
                         .due = sim->no_timers,
                         .at_restart = hold->degree == 1, /* beyond the zero */
                         .trial = 1,
                         .beyond = 1,
                         .rtol = sim->opt.rtol,
                         .y = c->after,
                         .mode_after = s->mode,
                         .t_after = t,
                         .fired = sim->fired,
                         .jumps = sim->jumps,
                         .max_jumps = m->max_jumps};
  brink__copy(c->after, c->probe, c->n);
  brink_status rc = m->ops->instant(m, s->live, &inst, &ignored);
  *fired = inst.n_fired;
  if (!(inst.classes & BRINK_SE_S)) /* nothing but put back to where f has a value */
    brink__copy(c->after, c->probe, c->n);
  return rc >= 0 && !inst.stop && !inst.zeno && inst.t_after == t &&
         inst.mode_after == s->mode;
}

static int is_changed(const brink__contacts *c)
{
  return memcmp(c->after, c->probe, c->n * sizeof *c->after) != 0;
}

/* Carry out the event at c->probe, which is y after an approach, on the copy; the state
 * after it into c->after.  0: the run would not go on in the mode.  A Boolean that says
 * whether the body touches has to be false before it becomes true.  aside: added to
 * c->probe, with the guards as they are without it; NULL: nothing. */
static int event(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                 double t, const double *y, const double *aside)
{
  int fired;

  c->refused = BRINK__READING_NOTHING;
  if (brink__side_copy(x, PROBE, c->side) < 0)
    return 0;
  if (c->known[hold->guard] & BRINK__FROM_OFF) {
    set_signs(x, c, hold, t, y, hold->inside);
    if (!carry_out(x, c, hold, t, &fired) || is_changed(c))
      return 0;
  }
  set_signs(x, c, hold, t, y, -hold->inside);
  for (size_t i = 0; aside && i < c->n; i++)
    c->probe[i] += aside[i];
  if (carry_out(x, c, hold, t, &fired)) {
    c->refused = fired ? BRINK__READING_NOTHING : BRINK__READING_SILENT;
    return 1;
  }
  if (is_changed(c))
    c->refused = BRINK__READING_LEAVES;
  return 0;
}

int brink__reading_event(brink__extended *x, brink__contacts *c,
                         const brink__hold *hold, double t, const double *y,
                         double part, double *moved, double *change)
{
  const brink_flow *flow = &c->lie.flow;
  double before, after;
  int order = hold->degree - 1, any = 0;

  for (size_t i = 0; i < c->n; i++)
    c->probe[i] = y[i] + part * c->gradient[i];
  if (flow->project && flow->project(flow, t, c->lie.unit, c->probe) < 0)
    return 0;
  if (!event(x, c, hold, t, y, NULL))
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    moved[i] = c->after[i] - c->probe[i];
    if (fabs(moved[i]) <= brink__reading_rounding(c) * brink__reading_size(c, y, i))
      moved[i] = 0;
    any |= moved[i] != 0;
    c->after[i] = c->probe[i] + moved[i];
  }
  if (any || c->refused != BRINK__READING_SILENT)
    c->refused = any ? BRINK__READING_GOES_ON : BRINK__READING_NOTHING;
  if (!brink__contact_derivative(c, hold->guard, order, t, c->probe, &before) ||
      !brink__contact_derivative(c, hold->guard, order, t, c->after, &after))
    return 0;
  c->speed = -hold->inside * before;
  *change = hold->inside * (after - before);
  if (any &&
      !(*change > 0)) /* it does nothing against the approach: no impact that failed */
    c->refused = BRINK__READING_NOTHING;
  return *change > 0 && hold->inside * after >= -AGREE * *change;
}

/* What an event does to the approach tends to nothing with its speed, but for this part
 * of what it does at the largest: an event that takes the state elsewhere, or gives it
 * a speed of its own, is no impact. */
static const double MOST_LEFT = 0.5;

/* Three speeds of approach, 1, 1/2, 1/4, and the directions from one to the next: what
 * an event does whatever the speed, such as correcting a rounding, is in none of them.
 * The later one into d; *differ: by how much, in parts of the largest element, they
 * differ; *change_by_first: that of sigma L_f^(r - 1) g by the first. */
static int read(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                double t, const double *y, double off, double *d, double *differ,
                double *change_by_first)
{
  double *moved[3] = {c->moved, c->moved + c->n, c->moved + 2 * c->n}, change[3],
         most = 0;

  *differ = HUGE_VAL;
  for (int k = 0; k < 3; k++)
    if (!brink__reading_event(x, c, hold, t, y, off + ldexp(1, -k), moved[k],
                              &change[k]))
      return 0;
  if (!(fabs(2 * change[2] - change[1]) <= MOST_LEFT * change[0])) {
    c->refused = BRINK__READING_UNEVEN;
    return 0;
  }
  double apart = 0;
  for (size_t i = 0; i < c->n; i++) {
    c->other[i] = (moved[0][i] - moved[1][i]) / (change[0] - change[1]);
    d[i] = (moved[1][i] - moved[2][i]) / (change[1] - change[2]);
    most = brink__max(most, fabs(d[i]) / c->lie.unit[i]);
    apart = brink__max(apart, fabs(d[i] - c->other[i]) / c->lie.unit[i]);
  }
  if (!(most > 0) || !brink__all_finite(d, c->n))
    return 0;
  *differ = apart / most;
  *change_by_first = change[0];
  return 1;
}

/* States that the event changes if they are not what they are: the speed along the
 * surface of a body that friction has stopped.  They are looked for beside c->probe, by
 * this part of their size, times odd parts. */
static const double ASIDE = 0x1p-16;

static void find_stopped(brink__extended *x, brink__contacts *c,
                         const brink__hold *hold, double t, const double *y,
                         unsigned char *touched)
{
  double *g = c->other, *aside = c->moved;

  if (hold->degree != 2 || c->lie.flow.project || !gradient(c, hold->guard, 0, t, y, g))
    return;
  for (size_t i = 0; i < c->n; i++)
    aside[i] = touched[i] || g[i] != 0 ? 0
                                       : ASIDE * (1 + 0.618 * (double)(i % 7)) *
                                             brink__reading_size(c, y, i);
  if (!event(x, c, hold, t, y, aside))
    return;
  for (size_t i = 0; i < c->n; i++)
    touched[i] |=
        aside[i] != 0 && fabs(c->after[i] - c->probe[i]) >
                             brink__reading_rounding(c) * brink__reading_size(c, y, i);
}

/* The states that the event changes: speeds.  An approach that changed others as well
 * would, on a curved surface, show the direction at another place. */
static int find_touched(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                        double t, const double *y)
{
  unsigned char *touched = c->touched + (size_t)hold->guard * c->n,
                *known = &c->known[hold->guard];
  double off, speed, change;

  *known = 0;
  if (!find_way(c, hold, t, y, NULL) ||
      !brink__reading_approach(c, hold, t, y, APPROACH[0], &off, &speed))
    return 0;
  if (!brink__reading_event(x, c, hold, t, y, off + 1, c->moved, &change)) {
    if (c->refused != BRINK__READING_SILENT)
      return 0;
    *known = BRINK__FROM_OFF;
    if (!brink__reading_event(x, c, hold, t, y, off + 1, c->moved, &change))
      return 0;
  }
  for (size_t i = 0; i < c->n; i++)
    touched[i] = c->moved[i] != 0;
  find_stopped(x, c, hold, t, y, touched);
  *known |= BRINK__TOUCHED;
  return 1;
}

/* Is the direction that one speed shows that of all of them? */
static int is_plain(const brink__contacts *c, double change, const double *d)
{
  double apart = 0, most = 0;

  for (size_t i = 0; i < c->n; i++) {
    most = brink__max(most, fabs(d[i]) / c->lie.unit[i]);
    apart = brink__max(apart, fabs(c->moved[i] / change - d[i]) / c->lie.unit[i]);
  }
  return apart <= SAME * most;
}

/* The direction from one event, where events of all speeds have shown the same when the
 * face was first looked at, along the way that was found then.  0: it leads no longer
 * where it did. */
static int read_again(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t, const double *y, double *d)
{
  double off, speed, change;

  if ((c->known[hold->guard] & (BRINK__TOUCHED | BRINK__PLAIN)) !=
          (BRINK__TOUCHED | BRINK__PLAIN) ||
      !brink__reading_approach(c, hold, t, y, APPROACH[0], &off, &speed) ||
      !brink__reading_event(x, c, hold, t, y, off + 1, c->moved, &change) ||
      !(fabs(c->speed - speed) <= SAME_WAY * speed))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    d[i] = c->moved[i] / change;
  return brink__all_finite(d, c->n);
}

/* As brink__read_reset, from three speeds of approach. */
static int read_fully(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t, const double *y, double *d)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double off, speed, differ = HUGE_VAL;

  c->known[hold->guard] &= (unsigned char)~BRINK__PLAIN;
  if (!find_way(c, hold, t, y, touched))
    return 0;
  for (size_t k = 0; k < BRINK__COUNT(APPROACH); k++) {
    double change;
    if (!brink__reading_approach(c, hold, t, y, APPROACH[k], &off, &speed))
      return 0;
    if (!read(x, c, hold, t, y, off, d, &differ, &change) || differ > SAME)
      continue;
    if (k == 0 && is_plain(c, change, d))
      c->known[hold->guard] |= BRINK__PLAIN;
    return 1;
  }
  if (differ > AGREE && differ < HUGE_VAL)
    c->refused = BRINK__READING_UNEVEN;
  for (size_t i = 0; differ <= AGREE && i < c->n; i++)
    d[i] += d[i] - c->other[i];
  return differ <= AGREE;
}

int brink__read_reset(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t, const double *y, int first, double *d)
{
  const brink_flow *flow = &c->lie.flow;

  c->refused = BRINK__READING_NOTHING;
  if (flow->project) { /* methods and locators ask beside the constraints as well */
    brink__copy(c->base, y, c->n);
    y = c->base;
    if (flow->project(flow, t, c->lie.unit, c->base) < 0)
      return 0;
  }
  if (!first && read_again(x, c, hold, t, y, d))
    return brink__with_friction(x, c, hold, t, y, d);
  first |= !(c->known[hold->guard] & BRINK__TOUCHED);
  if ((first && !find_touched(x, c, hold, t, y)) || !read_fully(x, c, hold, t, y, d))
    return 0;
  if (first)
    brink__find_friction(x, c, hold, t, y);
  return brink__with_friction(x, c, hold, t, y, d);
}

int brink__reading_from_off(const brink__contacts *c, int k)
{
  return (c->known[k] & BRINK__FROM_OFF) != 0;
}
