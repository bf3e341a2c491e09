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
 * Where half the speed does not give half the change, the event is no impulse and has
 * no reading: what would follow from it in the limit of small speeds is not known.
 */
#include "hybrid/contact.h"

#include <float.h>
#include <string.h>

/* The approach moves states by this part of their size.  If the event is proportional
 * to the speed, the first is exact up to rounding.  If it is not, because the direction
 * depends on the speed or the place, the second is small enough for what is not
 * proportional to be extrapolated, and large enough for the change to have 36 bits. */
static const double APPROACH[] = {0x1p-4, 0x1p-16};

/* Gradients are differences over this part of the states. */
static const double DIFFERENCE = 0x1p-16;

/* Readings of different speeds are the same, and need no extrapolation; and: they
 * belong to one direction. */
static const double SAME = 0x1p-40, AGREE = 0x1p-6;

/* A change of a state by so many roundings of its size is none. */
static const double ROUNDING = 16 * DBL_EPSILON;

enum { PROBE = BRINK__SIDES - 1 }; /* which copy */

static double size_of(const brink__contacts *c, const double *y, size_t i)
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
    double s = DIFFERENCE * size_of(c, y, i);
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

/* The change of the state into c->gradient that lowers sigma L_f^(r - 1) g most, in
 * units of the states, without moving g; *off: so many of them lower it from what it is
 * at y to 0. */
static int approach(brink__contacts *c, const brink__hold *hold, double t,
                    const double *y, const unsigned char *only, double size,
                    double *off)
{
  const double *unit = c->lie.unit;
  double *w = c->gradient, *g = c->probe, along = 0, square = 0, most = 0, slope = 0,
         here;

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
    double change = unit[i] * unit[i] * across;
    slope += w[i] * change;
    w[i] = -hold->inside * change;
    most = brink__max(most, fabs(change) / size_of(c, y, i));
  }
  if (!(most > 0 && most < HUGE_VAL) ||
      !brink__contact_derivative(c, hold->guard, hold->degree - 1, t, y, &here))
    return 0;
  for (size_t i = 0; i < c->n; i++)
    w[i] *= size / most;
  *off = hold->inside * here / (slope * size / most);
  return 1;
}

/* Signs of the guards at c->probe before the event, and with it; hits. */
static void set_signs(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[PROBE];
  int n = m->ops->mode_info(m, s->live, s->mode)->n_guards;
  signed char *before = c->signs, *after = before + n, *hit = after + n;

  for (int k = 0; k < n; k++) {
    double g;
    int known = m->ops->guard(m, s->live, s->mode, k, t, c->probe, &g) == 0;
    before[k] = (signed char)(known && g > 0 ? 1 : known && g < 0 ? -1 : s->sign[k]);
  }
  before[hold->guard] = (signed char)hold->inside;
  brink__copy_bytes(after, before, (size_t)n);
  memset(hit, 0, (size_t)n);
  after[hold->guard] = hit[hold->guard] = (signed char)-hold->inside;
}

/* Carry out the event at c->probe on the copy; the state after it into c->after.  0:
 * the run would not go on in the mode. */
static int event(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                 double t)
{
  const brink_model *m = x->inner;
  brink_sim *sim = x->sim;
  brink_err ignored;

  if (brink__side_copy(x, PROBE, c->side) < 0)
    return 0;
  brink__side *s = &x->side[PROBE];
  int n = m->ops->mode_info(m, s->live, s->mode)->n_guards;
  set_signs(x, c, hold, t);
  brink__instant inst = {.t = t,
                         .mode = s->mode,
                         .y_before = c->probe,
                         .sign_before = c->signs,
                         .sign = c->signs + n,
                         .hit = c->signs + 2 * n,
                         .due = sim->no_timers,
                         .at_restart = hold->degree == 1, /* beyond the zero */
                         .rtol = sim->opt.rtol,
                         .y = c->after,
                         .mode_after = s->mode,
                         .t_after = t,
                         .fired = sim->fired,
                         .jumps = sim->jumps,
                         .max_jumps = m->max_jumps};
  brink__copy(c->after, c->probe, c->n);
  if (m->ops->instant(m, s->live, &inst, &ignored) >= 0 && !inst.stop && !inst.zeno &&
      inst.t_after == t && inst.mode_after == s->mode) {
    c->refused = inst.n_fired ? BRINK__READING_NOTHING : BRINK__READING_SILENT;
    return 1;
  }
  c->refused = memcmp(c->after, c->probe, c->n * sizeof *c->after)
                   ? BRINK__READING_LEAVES
                   : BRINK__READING_NOTHING;
  return 0;
}

/* What the event does to the state after so many times the approach in c->gradient:
 * *change of sigma L_f^(r - 1) g.  The event must end the approach. */
static int one(brink__extended *x, brink__contacts *c, const brink__hold *hold,
               double t, const double *y, double part, double *moved, double *change)
{
  double before, after;
  int order = hold->degree - 1, any = 0;

  for (size_t i = 0; i < c->n; i++)
    c->probe[i] = y[i] + part * c->gradient[i];
  if (!event(x, c, hold, t))
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    moved[i] = c->after[i] - c->probe[i];
    if (fabs(moved[i]) <= ROUNDING * size_of(c, y, i))
      moved[i] = 0;
    any |= moved[i] != 0;
    c->after[i] = c->probe[i] + moved[i];
  }
  if (any || c->refused != BRINK__READING_SILENT)
    c->refused = any ? BRINK__READING_GOES_ON : BRINK__READING_NOTHING;
  if (!brink__contact_derivative(c, hold->guard, order, t, c->probe, &before) ||
      !brink__contact_derivative(c, hold->guard, order, t, c->after, &after))
    return 0;
  *change = hold->inside * (after - before);
  return *change > 0 && hold->inside * after >= -AGREE * *change;
}

/* Three speeds of approach, 1, 1/2, 1/4, and the directions from one to the next: what
 * an event does whatever the speed, such as correcting a rounding, is in none of them.
 * The later one into d; *differ: by how much, in parts of the largest element, they
 * differ. */
static int read(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                double t, const double *y, double off, double *d, double *differ)
{
  double *moved[3] = {c->moved, c->moved + c->n, c->moved + 2 * c->n}, change[3],
         most = 0;

  *differ = HUGE_VAL;
  for (int k = 0; k < 3; k++)
    if (!one(x, c, hold, t, y, off + ldexp(1, -k), moved[k], &change[k]))
      return 0;
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
  return 1;
}

/* The states that the event changes: speeds.  An approach that changed others as well
 * would, on a curved surface, show the direction at another place. */
static int find_touched(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                        double t, const double *y)
{
  unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double off, change;
  int any = 0;

  if (!approach(c, hold, t, y, NULL, APPROACH[0], &off) ||
      !one(x, c, hold, t, y, off + 1, c->moved, &change))
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    touched[i] = c->moved[i] != 0;
    any |= touched[i];
  }
  c->known[hold->guard] = (unsigned char)any;
  return any;
}

int brink__read_reset(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t, const double *y, int first, double *d)
{
  const unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  double off, differ = HUGE_VAL;

  c->refused = BRINK__READING_NOTHING;
  if ((first || !c->known[hold->guard]) && !find_touched(x, c, hold, t, y))
    return 0;
  for (size_t k = 0; k < BRINK__COUNT(APPROACH); k++) {
    if (!approach(c, hold, t, y, touched, APPROACH[k], &off))
      return 0;
    if (read(x, c, hold, t, y, off, d, &differ) && differ <= SAME)
      return 1;
  }
  if (differ > AGREE && differ < HUGE_VAL)
    c->refused = BRINK__READING_UNEVEN;
  for (size_t i = 0; differ <= AGREE && i < c->n; i++)
    d[i] += d[i] - c->other[i];
  return differ <= AGREE;
}
