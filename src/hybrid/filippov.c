/* filippov.c -- where does a solution slide?
 *
 * A guard on its zero whose event the present law leads into is tried: its own event,
 * on a copy of the live object, gives the law of the other side.  If that leads back,
 * into an event that gives the first law again, the solution slides along the guard; if
 * it leads on, the guard is crossed, and its event happens as always.  Where two such
 * surfaces meet there are four laws: a solution that can leave does, into a region or
 * along one surface, and slides along both where none can.
 *
 * What an event changes beside the law (states, time, the end of the run) is no switch
 * that can be slid along, nor is one with hysteresis.
 */
#include "hybrid/filippov.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  MOST_SURFACES = BRINK__SLIDING_SURFACES,
  TRIAL = 4, /* the side on which it is tried whether an event leads back */
};

/* Guards whose rates along any direction have the same ratio, up to this, vanish on one
 * surface; callbacks without rates are differentiated to about half of the digits. */
static const double SAME_RATIO = 1e-6;

/* The law to which an event leads back is the one before it up to this part. */
static const double SAME_LAW = 1e-9;

/* What is known of the surfaces at one point. */
typedef struct surfaces {
  int n;             /* surfaces                                            */
  brink__proposal p; /* their guards                                        */
  int target[BRINK__MOST_HELD]; /* signs of the guards on the other side */
} surfaces;

/* --------------------------------------------------------- which surfaces --- */

void brink__some_direction(size_t n, double *d)
{
  double v = 0.5;

  for (size_t i = 0; i < n; i++) {
    v = 3.7 * v * (1 - v); /* numbers without a pattern */
    d[i] = 0.5 + v;
  }
}

/* Do guard k of side 0 and guard j of side i vanish on the same surface?  f: another
 * direction; *ratio of their rates. */
static int same_surface(brink__extended *x, int k, int i, int j, double t,
                        const double *y, const double *f, double *ratio)
{
  double *d = x->side[0].y, r[2][3]; /* nobody reads that of the own side */
  size_t n = x->side[0].flow.n;

  for (int c = 0; c < 3; c++) {
    if (c == 0)
      brink__some_direction(n, d);
    else if (c == 2)
      for (size_t m = 0; m < n; m++)
        d[m] = 0; /* what time alone does */
    if (!brink__side_rate(x, 0, k, t, y, c == 1 ? f : d, &r[0][c]) ||
        !brink__side_rate(x, i, j, t, y, c == 1 ? f : d, &r[1][c]))
      return 0;
  }
  double size = fabs(r[0][0]) + fabs(r[0][2]);
  *ratio = r[1][0] / r[0][0];
  for (int c = 1; c < 3; c++)
    if (fabs(r[1][c] - *ratio * r[0][c]) >
        SAME_RATIO * fabs(*ratio) * (size + fabs(r[0][c])))
      return 0;
  return isfinite(*ratio) && *ratio != 0;
}

static int in_surfaces(const surfaces *s, int k)
{
  for (int i = 0; i < s->p.n; i++)
    if (s->p.hold[i].guard == k)
      return 1;
  return 0;
}

/* The law that the policy chooses. */
static const brink__law *law_of(const brink_sim *sim)
{
  return sim->sliding == BRINK__SLIDING_REGULARIZE ? &brink__regularized_law
                                                   : &brink__sliding_law;
}

/* How far a guard that was held may be from its zero and still be so. */
static double reach(const brink_sim *sim, const brink__hold *hold)
{
  return sim->sliding == BRINK__SLIDING_REGULARIZE ? brink__sliding_width(sim)
                                                   : 4 * fabs(hold->level);
}

/* How guard k was held before these instants; NULL: it was not, or it has been moved.
 */
static const brink__hold *was_held(const brink__extended *x, int k)
{
  const brink__held *h = x->before;

  if (!h || h->base != x->sim->mode || h->law != law_of(x->sim) || h->held_by[k] < 0)
    return NULL;
  const brink__hold *hold = &h->hold[h->held_by[k]];
  if (hold->degree)
    return NULL; /* a face */
  const brink__watch *w = &x->sim->regime->guards.watch[k];
  return brink__on_zero(w) || fabs(w->g) <= reach(x->sim, hold) ? hold : NULL;
}

/* Has its surface just been left through its exit guard? */
static int was_left(const brink__extended *x, int k)
{
  const brink__hold *hold = was_held(x, k);

  return hold && (x->left >> hold->surface) & 1;
}

static int is_face(const brink__extended *x, int k)
{
  for (int i = 0; i < x->n_faces; i++)
    if (x->face[i].guard == k)
      return 1;
  return 0;
}

/* Is guard k, of side 0, on its zero, and one whose zero is a surface? */
static int on_surface(const brink__extended *x, int k)
{
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];

  return !is_face(x, k) && own->on_zero[k] &&
         m->ops->guard_side(m, own->live, own->mode, k) != BRINK_BEFORE;
}

/* May guard k be one that is slid along? */
static int candidate(const brink__extended *x, int k)
{
  return on_surface(x, k) && !was_left(x, k);
}

/* The value at which a guard is held: where its event has left it, or farther, on the
 * side on which its relation is what the live object has, so that rounding does not
 * bring it to exactly 0, where another value may hold. */
static double level_of(brink__extended *x, int k, int sign)
{
  brink_sim *sim = x->sim;
  brink__guards *g = &sim->regime->guards;
  const brink__watch *w = &g->watch[k];
  const brink_integrator *it = sim->regime->it;
  double *noise = x->slope, delta, rtol = brink__max(sim->opt.rtol, DBL_EPSILON);
  brink_err ignored;

  for (size_t i = 0; i < g->n_states; i++)
    noise[i] =
        4 * DBL_EPSILON *
        brink__max(fabs(sim->y[i]), brink__integrator_tolerance(it, i, 0) / rtol);
  if (brink__guard_rounding(g, k, sim->t, sim->y, noise, BRINK__FAR, &delta, &ignored) <
      0)
    delta = 0;
  return sign * brink__max(w->displaced ? 0 : brink__min(fabs(w->g), w->band), delta);
}

/* Add the surface of guard k, which the law leads across in direction dir, in this
 * order.
 */
static int add_surface(brink__extended *x, surfaces *s, int k, int dir, int order,
                       double t, const double *y, const double *f)
{
  const brink__side *own = &x->side[0];
  int n_guards = x->inner->ops->mode_info(x->inner, own->live, own->mode)->n_guards;
  double ratio;

  for (int j = 0; j < n_guards; j++) {
    ratio = 1;
    if (j != k && (!on_surface(x, j) || in_surfaces(s, j) ||
                   !same_surface(x, k, 0, j, t, y, f, &ratio)))
      continue;
    int target = ratio > 0 ? dir : -dir;
    if (own->sign[j] != -target || s->p.n == BRINK__MOST_HELD)
      return 0; /* its relations do not agree: an event comes first */
    s->target[s->p.n] = target;
    s->p.hold[s->p.n++] =
        (brink__hold){.guard = j, .surface = s->n, .order = order, .sign = -target};
  }
  s->p.n_surfaces = ++s->n;
  return 1;
}

/* The values at which the guards are held: those of before, if they were.  Where a
 * switch of second order is held, its derivative is held by it. */
static void set_levels(brink__extended *x, surfaces *s)
{
  for (int i = 0; i < s->p.n; i++) {
    brink__hold *hold = &s->p.hold[i];
    const brink__hold *old = was_held(x, hold->guard);
    hold->level = old && old->sign == hold->sign ? old->level
                  : i > 0 && s->p.hold[0].order > 1
                      ? 0
                      : level_of(x, hold->guard, hold->sign);
  }
}

/* A guard on its zero that f leads across in this order, into an event, or one that was
 * held so; -1: none. */
static int next_guard(brink__extended *x, const surfaces *s, int order, double t,
                      const double *y, const double *f, int *dir)
{
  const brink__side *own = &x->side[0];

  for (int k = 0; k < x->sim->regime->guards.n; k++) {
    double r;
    if (in_surfaces(s, k) || !candidate(x, k) || !brink__side_acts(x, 0, k) ||
        !brink__side_rate(x, 0, k, t, y, f, &r))
      continue;
    const brink__hold *old = was_held(x, k);
    *dir = -own->sign[k];
    if (old         ? old->order == order
        : order > 1 ? brink__leads_across_later(x, k, t, y, r)
                    : r * own->sign[k] < 0)
      return k;
  }
  return -1;
}

/* ------------------------------------------------------------------- sides --- */

/* The event through surface `surface` on side `to`, a copy of side `from`. */
static int across(brink__extended *x, const surfaces *s, int surface, int from, int to,
                  double t, const double *y)
{
  brink_status rc = brink__side_copy(x, to, from);

  if (rc < 0)
    return rc;
  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  for (int i = 0; i < s->p.n; i++)
    if (s->p.hold[i].surface == surface)
      x->hit[s->p.hold[i].guard] = (signed char)s->target[i];
  return brink__side_event(x, to, t, y, x->hit);
}

int brink__switch_across(brink__extended *x, int k, double t, const double *y, int to)
{
  surfaces s = {0};
  int sign = x->side[0].sign[k];

  if (!on_surface(x, k) || !sign || !brink__side_acts(x, 0, k))
    return 0;
  if (!add_surface(x, &s, k, -sign, 1, t, y, x->side[to].f)) {
    s = (surfaces){.n = 1, .p = {.n = 1}, .target = {-sign}}; /* k alone */
    s.p.hold[0] = (brink__hold){.guard = k, .sign = sign};
  }
  return across(x, &s, 0, 0, to, t, y);
}

/* Do the laws of sides a and b agree where they were last asked? */
static int same_law(const brink__extended *x, int a, int b, int other)
{
  const double *fa = x->side[a].f, *fb = x->side[b].f, *fc = x->side[other].f;

  for (size_t m = 0; m < x->side[a].flow.n; m++)
    if (fabs(fa[m] - fb[m]) > SAME_LAW * (fabs(fa[m]) + fabs(fc[m])))
      return 0;
  return 1;
}

/* The law of side i leads back across the surface of `leads`: into an event that gives
 * the law of side 0 again?  A switch with
 * hysteresis, or one that remembers, does not. */
static int leads_back(brink__extended *x, int i, const brink__hold *leads, double t,
                      const double *y)
{
  const brink__side *s = &x->side[i];
  int n_guards = x->inner->ops->mode_info(x->inner, s->live, s->mode)->n_guards, n = 0;
  double ratio;

  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  for (int k = 0; k < n_guards; k++)
    if (s->on_zero[k] && brink__side_acts(x, i, k) &&
        same_surface(x, leads->guard, i, k, t, y, s->f, &ratio) &&
        ratio * leads->sign * s->sign[k] < 0) {
      x->hit[k] = (signed char)-s->sign[k];
      n++;
    }
  if (n == 0)
    return 0;
  brink_status rc = brink__side_copy(x, TRIAL, i);
  if (rc < 0)
    return rc;
  int found = brink__side_event(x, TRIAL, t, y, x->hit);
  if (found <= 0)
    return found;
  return brink__side_rhs(x, TRIAL, t, y) == 0 && same_law(x, 0, TRIAL, i);
}

/* Make the sides of all surfaces, and their rates.  1, 0: an event does not only change
 * the law, or a law has no value; or an error. */
static int make_sides(brink__extended *x, const surfaces *s, double t, const double *y,
                      double r[][MOST_SURFACES])
{
  const brink__hold *leader[MOST_SURFACES];

  for (int i = s->p.n - 1; i >= 0; i--)
    leader[s->p.hold[i].surface] = &s->p.hold[i];
  for (int i = 1; i < 1 << s->n; i++) {
    int last = i >> 1; /* the highest surface that is crossed */
    int found = across(x, s, last, i & ~(1 << last), i, t, y);
    if (found <= 0)
      return found;
  }
  return brink__sliding_rates(x, leader, s->n, t, y, r);
}

/* ---------------------------------------------------------------- decision --- */

/* The side of surface s on which the live object of the simulation is. */
static int own_sign(const surfaces *s, int surface)
{
  int i = 0;

  while (s->p.hold[i].surface != surface)
    i++;
  return s->p.hold[i].sign;
}

/* The sign of surface s on side i. */
static int sign_on(const surfaces *s, int surface, int i)
{
  return (i >> surface) & 1 ? -own_sign(s, surface) : own_sign(s, surface);
}

/* Do the laws on both sides of the surface, from side i across it, lead to it? */
static int attracts(const surfaces *s, int surface, int i, double r[][MOST_SURFACES])
{
  int across_it = i | 1 << surface, sign = own_sign(s, surface);

  i &= ~(1 << surface);
  return sign * r[i][surface] < 0 && sign * r[across_it][surface] > 0;
}

/* Is a solution possible that goes on into side i, of two surfaces? */
static int leaves_into(const surfaces *s, int i, double r[][MOST_SURFACES])
{
  return sign_on(s, 0, i) * r[i][0] > 0 && sign_on(s, 1, i) * r[i][1] > 0;
}

/* Is one possible that slides along `surface` alone, on the side of the other surface
 * on which side i is? */
static int slides_along(const surfaces *s, int surface, int i,
                        double r[][MOST_SURFACES])
{
  int other = 1 - surface, a = i & ~(1 << surface), b = a | 1 << surface;

  if (!attracts(s, surface, i, r))
    return 0;
  double w = r[a][surface] / (r[a][surface] - r[b][surface]);
  return sign_on(s, other, i) * ((1 - w) * r[a][other] + w * r[b][other]) > 0;
}

/* Keep one of two surfaces. */
static void keep(surfaces *s, int surface)
{
  int n = 0;

  for (int i = 0; i < s->p.n; i++)
    if (s->p.hold[i].surface == surface) {
      s->target[n] = s->target[i];
      s->p.hold[n] = s->p.hold[i];
      s->p.hold[n++].surface = 0;
    }
  s->p.n = n;
  s->n = s->p.n_surfaces = 1;
}

/* In how many ways can a solution leave the corner of two surfaces: into a region, or
 * along one of them? */
static int count_exits(const surfaces *s, double r[][MOST_SURFACES])
{
  int n = 0;

  for (int i = 0; i < 4; i++)
    n += leaves_into(s, i, r);
  for (int other = 0; other < 4; other += 3) {
    n += slides_along(s, 0, other & 2, r);
    n += slides_along(s, 1, other & 1, r);
  }
  return n;
}

/* Are there weights of the law that holds both? */
static int inside(double r[][MOST_SURFACES])
{
  double weight[2];

  return brink__sliding_weights(r, 2, 1, weight) &&
         brink__weight_outside(weight[0]) + brink__weight_outside(weight[1]) == 0;
}

/* Two surfaces meet here: which of them are held?  A solution that can leave does. */
static int of_two(surfaces *s, double r[][MOST_SURFACES])
{
  if (leaves_into(s, 0, r))
    return 0;
  for (int surface = 0; surface < 2; surface++)
    if (slides_along(s, surface, 0, r)) {
      keep(s, surface);
      return 1;
    }
  if (count_exits(s, r) == 0)
    return inside(r);
  /* the other side is reached by an event, from sliding along one of them or without */
  for (int surface = 0; surface < 2; surface++)
    if (attracts(s, surface, 0, r)) {
      keep(s, surface);
      return 1;
    }
  return 0;
}

/* The verdict on more surfaces than there is a law for. */
BRINK__COLD static brink_status too_many(brink__extended *x, const surfaces *s, int k)
{
  brink_sim *sim = x->sim;
  const brink__guard *info = sim->regime->guards.info;
  const char *name[MOST_SURFACES] = {"", ""};

  for (int i = s->p.n - 1; i >= 0; i--)
    name[s->p.hold[i].surface] = info[s->p.hold[i].guard].name;
  return brink__fail_at(&sim->err, BRINK_EITERATION, sim->t,
                        "at t = %.15g the solution comes to slide along three switches "
                        "at once: '%.80s', '%.80s', '%.80s'; there is no law for more "
                        "than two: give one of them a hysteresis or make it smooth",
                        sim->t, name[0], name[1], info[k].name);
}

/* Is the law of side TRIAL neither that of side 0 nor that of side 1, nor their mean?
 */
static int is_off_mean(const brink__extended *x)
{
  const double *f = x->side[TRIAL].f, *f0 = x->side[0].f, *f1 = x->side[1].f;
  int off = 0;

  for (size_t m = 0; m < x->side[0].flow.n; m++)
    off |= fabs(f[m] - 0.5 * (f0[m] + f1[m])) >
           SAME_LAW * (fabs(f[m]) + fabs(f0[m]) + fabs(f1[m]));
  return off && !same_law(x, TRIAL, 0, 1) && !same_law(x, TRIAL, 1, 0);
}

/* A sign() has two guards on one surface, and is 0 between their events: after that of
 * the relation which holds on side 0.  If the law there is not the mean of those of the
 * sides, the sign enters it in more than proportion, and an unknown between -1 and 1 in
 * its place would give another law than Filippov's: that is remarked.  1, or an error.
 */
static int remark_not_affine(brink__extended *x, const surfaces *s, double t,
                             const double *y)
{
  brink_sim *sim = x->sim;
  const brink__guard *info = sim->regime->guards.info;
  const brink__hold *hold = s->p.hold;

  if (s->p.n < 2 || strcmp(info[hold[0].guard].name, info[hold[1].guard].name) != 0)
    return 1;
  for (int i = 0; i < 2; i++) {
    BRINK_TRY(brink__side_copy(x, TRIAL, 0));
    brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
    x->hit[hold[i].guard] = (signed char)s->target[i];
    int found = brink__side_event(x, TRIAL, t, y, x->hit);
    if (found < 0)
      return found;
    if (found && brink__side_rhs(x, TRIAL, t, y) == 0 && is_off_mean(x))
      brink__remark(sim, BRINK__REMARK_NOT_AFFINE,
                    "from t = %.15g on the solution slides along '%.80s', which does "
                    "not enter the law in proportion: the mixture of the laws of both "
                    "sides is followed (Filippov); an unknown between -1 and 1 in its "
                    "place would give another law",
                    t, info[hold[i].guard].name);
  }
  return 1;
}

/* Sides of one surface that is new: it must lead back. */
static int enters(brink__extended *x, const surfaces *s, double t, const double *y,
                  double r[][MOST_SURFACES])
{
  if (!attracts(s, 0, 0, r))
    return 0;
  const brink__hold *leads = &s->p.hold[0];
  if (was_held(x, leads->guard))
    return 1;
  int back = leads_back(x, 1, leads, t, y);
  return back > 0 ? remark_not_affine(x, s, t, y) : back;
}

/* Sides of a surface of second order, and perhaps of its derivative. */
static int enters_second_order(brink__extended *x, const surfaces *s, double t,
                               const double *y, double r[][MOST_SURFACES])
{
  const brink__hold *leads = &s->p.hold[0];
  double weight[MOST_SURFACES];
  int found;

  if (!brink__second_order_weights(r, s->n, weight) ||
      brink__weight_outside(weight[0]) > 0)
    return 0;
  if (was_held(x, leads->guard))
    return 1;
  if (!brink__stays_second_order(x, leads->guard, weight, s->n, t, y))
    return 0;
  for (int i = 0; i < s->n; i++, leads++) {
    while (leads->surface < i)
      leads++;
    if ((found = leads_back(x, 1 << i, leads, t, y)) <= 0)
      return found;
  }
  return 1;
}

/* Another surface is met: with it, which are held?  1: s says, and the sides are made;
 * 0: none; or an error. */
static int decide(brink__extended *x, surfaces *s, double t, const double *y,
                  double r[][MOST_SURFACES])
{
  int n = s->n, found = make_sides(x, s, t, y, r);

  if (found > 0)
    found = n == 1 ? enters(x, s, t, y, r) : of_two(s, r);
  if (found > 0 && s->n < n) /* the sides are others */
    found = make_sides(x, s, t, y, r);
  return found;
}

/* The law has these weights of n surfaces. */
static void share(brink__extended *x, const double *weight, int n)
{
  x->n_shares = 1 << n;
  for (int i = 0; i < x->n_shares; i++)
    x->share[i] = brink__side_share(weight, n, i);
}

/* The gradient of the first guard of a surface, out [n]; d: scratch. */
static int gradient(brink__extended *x, int k, double t, const double *y, double *d,
                    double *out)
{
  size_t n = x->side[0].flow.n;
  double alone;

  brink__fill_bytes(d, 0, n * sizeof *d);
  if (!brink__side_rate(x, 0, k, t, y, d, &alone))
    return 0;
  for (size_t m = 0; m < n; m++) {
    d[m] = 1;
    if (!brink__side_rate(x, 0, k, t, y, d, &out[m]))
      return 0;
    out[m] -= alone;
    d[m] = 0;
  }
  return 1;
}

/* The values that the guards have beside their zeros: not 0, and within rounding. */
static const double BESIDE = 0x1p-10;

/* The guards of the surfaces count as zero at y. */
static int guards_beside(brink__extended *x, const surfaces *s, double t,
                         const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];

  for (int i = 0; i < s->p.n; i++) {
    int k = s->p.hold[i].guard;
    if (m->ops->guard(m, own->live, own->mode, k, t, y, &own->g[k]) != 0)
      return 0;
    own->on_zero[k] = 1;
  }
  return 1;
}

/* sim->y off the surfaces of second order by rounding, to where their relations are as
 * the live object has them, into out: on the zero itself an event may find another
 * value.  As few states as there are surfaces are moved, since events may change speeds
 * in proportion to them. */
static int beside(brink__extended *x, const surfaces *s, double t, double *out)
{
  size_t n = x->side[0].flow.n, at[2] = {0, 0};
  double *g[2] = {x->f, x->slope}, level[2] = {0, 0}, best = 0, move[2] = {0, 0};
  const brink__hold *hold = s->p.hold;

  for (int i = 0; i < s->n; i++, hold++) {
    while (hold->surface < i)
      hold++;
    level[i] = BESIDE * level_of(x, hold->guard, hold->sign);
    if (!gradient(x, hold->guard, t, x->sim->y, out, g[i]))
      return 0;
  }
  brink__copy(out, x->sim->y, n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < (s->n > 1 ? n : 1); j++) {
      double det = s->n > 1 ? g[0][i] * g[1][j] - g[0][j] * g[1][i] : g[0][i];
      if (fabs(det) > fabs(best)) {
        best = det;
        at[0] = i;
        at[1] = j;
      }
    }
  if (best == 0)
    return 0;
  if (s->n == 1) {
    move[0] = level[0] / best;
  } else {
    move[0] = (level[0] * g[1][at[1]] - level[1] * g[0][at[1]]) / best;
    move[1] = (g[0][at[0]] * level[1] - g[1][at[0]] * level[0]) / best;
  }
  out[at[0]] += move[0];
  out[at[1]] += move[1];
  return guards_beside(x, s, t, out);
}

/* A switch of second order, held with that of its derivative if there is one: 1, 0 or
 * an error as brink__sliding_propose. */
static int propose_second_order(brink__extended *x, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  double t = sim->t, r[1 << MOST_SURFACES][MOST_SURFACES], weight[MOST_SURFACES];
  surfaces s = {.p = {.law = law_of(sim)}};
  int dir, k = next_guard(x, &s, 2, t, sim->y, x->side[0].f, &dir);

  if (k < 0 || !add_surface(x, &s, k, dir, 2, t, sim->y, x->side[0].f))
    return 0;
  BRINK_TRY(brink__contact_prepare(x, 0, x->side[0].mode));
  for (int j = 0; j < sim->regime->guards.n && s.n == 1; j++)
    if (candidate(x, j) && !in_surfaces(&s, j) && brink__side_acts(x, 0, j) &&
        brink__is_derivative(x, j, k, t, sim->y) &&
        !add_surface(x, &s, j, -x->side[0].sign[j], 1, t, sim->y, x->side[0].f))
      return 0;
  set_levels(x, &s);
  double *y = brink__work_row(sim, 0);
  int found = beside(x, &s, t, y) ? make_sides(x, &s, t, y, r) : 0;
  if (found > 0 && s.n == 2 && same_law(x, 0, 2, 1)) { /* no switch of the law */
    keep(&s, 0);
    found = make_sides(x, &s, t, y, r);
  }
  if (found > 0)
    found = enters_second_order(x, &s, t, y, r);
  if (found <= 0 || !brink__sliding_weights(r, s.n, 2, weight))
    return found < 0 ? found : 0;
  brink__copy(y, sim->y, x->side[0].flow.n);
  if (brink__second_order_project(x, &s.p.hold[0], t, y) < 0)
    return 0;
  brink__copy(sim->y, y, x->side[0].flow.n);
  share(x, weight, s.n);
  *out = s.p;
  return 1;
}

/* The law leads across the first surface, and the one behind leads on.  Where another
 * surface meets it, solutions may turn round the corner in ever shorter times: both
 * are held if none can leave it, whichever way the present law leads.  As decide().
 */
static int decide_corner(brink__extended *x, surfaces *s, double t, const double *y,
                         double r[][MOST_SURFACES])
{
  const brink__side *own = &x->side[0];

  for (int k = 0; s->n == 1 && k < x->sim->regime->guards.n; k++)
    if (!in_surfaces(s, k) && candidate(x, k) && brink__side_acts(x, 0, k) &&
        !add_surface(x, s, k, -own->sign[k], 1, t, y, own->f))
      return 0;
  if (s->n < MOST_SURFACES)
    return 0;
  set_levels(x, s);
  int found = make_sides(x, s, t, y, r);
  return found > 0 ? count_exits(s, r) == 0 && inside(r) : found;
}

int brink__sliding_propose(brink__extended *x, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  double t = sim->t, r[1 << MOST_SURFACES][MOST_SURFACES], weight[MOST_SURFACES];
  const double *y = sim->y, *f = x->side[0].f;
  surfaces s = {.p = {.law = law_of(sim)}};
  int dir, k, met = 0;

  brink__side_own(x);
  for (int i = 0; i < sim->regime->guards.n; i++)
    x->side[0].on_zero[i] |= was_held(x, i) != NULL;
  share(x, NULL, 0);
  if (sim->sliding == BRINK__SLIDING_CHATTER || brink__side_rhs(x, 0, t, y) != 0)
    return 0;
  if (law_of(sim) == &brink__sliding_law) {
    int found = propose_second_order(x, out);
    if (found)
      return found;
  }
  while (s.n == met && (k = next_guard(x, &s, 1, t, y, f, &dir)) >= 0) {
    if (met == MOST_SURFACES)
      return (int)too_many(x, &s, k);
    if (!add_surface(x, &s, k, dir, 1, t, y, x->side[0].f))
      return 0;
    set_levels(x, &s);
    met++;
    int found = decide(x, &s, t, y, r);
    if (found == 0 && met == 1) {
      found = decide_corner(x, &s, t, y, r);
      met = s.n;
    }
    if (found <= 0)
      return found;
    if (!brink__sliding_weights(r, s.n, 1, weight))
      return 0;
    brink__sliding_mix(x, weight, s.n, x->slope);
    f = x->slope;
    share(x, weight, s.n);
  }
  *out = s.p;
  return s.n > 0;
}

/* Would it be an event that acts if guard k, which stands at `sign`, crossed its
 * zero?
 */
static int acts(brink_sim *sim, int k, int sign)
{
  const brink__regime *r = sim->regime;
  signed char *before = sim->signs, *after = before + sim->model->max_guards;

  brink__signs(sim, before);
  before[k] = (signed char)sign;
  brink__copy_bytes(after, before, (size_t)r->guards.n);
  after[k] = (signed char)-sign;
  return r->over(r, before, after) == BRINK__ACTS;
}

/* Has the mode that was left as many states as the present one? */
static int same_size(const brink_sim *sim)
{
  const brink__occurrence *last = brink__history_last(&sim->history, 0);

  return !last || last->mode_after != sim->mode ||
         brink__mode_info(sim, last->mode_before)->n == sim->regime->info->n;
}

int brink__sliding_possible(brink_sim *sim, unsigned classes, int begins)
{
  brink__regime *r = sim->regime;
  brink__guards *g = &r->guards;
  double *f = brink__work_row(sim, 0), rate;
  int known = 0;

  if (sim->sliding == BRINK__SLIDING_CHATTER)
    return 0;
  if (!begins && ((classes & BRINK_SE_S) ||
                  !(classes & (BRINK_SE_P | BRINK_SE_I | BRINK_SE_D | BRINK_SE_M)) ||
                  ((classes & BRINK_SE_M) && !same_size(sim))))
    return 0;
  for (int k = 0; k < g->n; k++) {
    const brink__watch *w = &g->watch[k];
    int sign = w->sign ? w->sign : (w->crossed > 0) - (w->crossed < 0);
    if (!brink__on_zero(w) || !sign || !acts(sim, k, sign))
      continue;
    if (!known && r->flow.rhs(&r->flow, sim->t, sim->y, f) != 0)
      return 0;
    known = 1;
    if (brink__guard_rate(g, k, sim->t, sim->y, f, brink__rate_span(sim), &rate) &&
        (rate * sign < 0 || brink__is_slow(rate, f, g->n_states)))
      return 1;
  }
  return 0;
}
