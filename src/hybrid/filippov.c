/* filippov.c -- sliding: the law on a surface to which the laws on its sides lead.
 *
 * On g = 0 with the laws f_0 and f_1 beside it, Filippov's law is their convex
 * combination that stays there [Filippov88, 4]:
 *
 *   f_s = (1 - alpha) f_0 + alpha f_1,   alpha = r_0/(r_0 - r_1),   r_i = dg/dt along
 * f_i.
 *
 * On two surfaces at once four laws are combined with the weights of the bilinear
 * selection [DL11], (1-a)(1-b), a(1-b), (1-a)b, ab, so that both stay zero.  A
 * surface is left where its weight leaves [0, 1]: the exit guard is -4 a(1 - a), whose
 * zeros are both ends.  The weights are smooth beyond them, and so is the law: a step
 * may reach past the exit, which is located on it.
 *
 * Off the surface by rounding, or by the curvature of g along a step, the state is put
 * back along f_1 - f_0, the direction in which the laws differ: both satisfy the
 * constraints of the base mode, and so, to first order, does their difference.
 */
#include "hybrid/extended_model.h"

#include <float.h>
#include <math.h>

enum {
  MOST_SURFACES = 2,
  TRIAL = 4, /* the side on which it is tried whether an event leads back */
};

/* Guards whose rates along any direction have the same ratio, up to this, vanish on one
 * surface; callbacks without rates are differentiated to about half of the digits. */
static const double SAME_RATIO = 1e-6;

/* The law to which an event leads back is the one before it up to this part. */
static const double SAME_LAW = 1e-9;

/* A projection by Newton's method along the difference of the laws takes so many steps
 * at most: the first leaves the square of what the step has left. */
enum { NEWTON = 3 };

/* What is known of the surfaces at one point. */
typedef struct surfaces {
  int n;             /* surfaces                                            */
  brink__proposal p; /* their guards                                        */
  int target[BRINK__MOST_HELD]; /* signs of the guards on the other side */
} surfaces;

/* -------------------------------------------------------------------- law --- */

/* The leader of a surface. */
static const brink__hold *leader(const brink__held *h, int surface)
{
  int i = 0;

  while (h->hold[i].surface != surface)
    i++;
  return &h->hold[i];
}

/* Rates r[side][surface]; 0: a law or a guard has no value at (t, y). */
static int rates(brink__extended *x, const int *guard, int n, double t, const double *y,
                 double r[][MOST_SURFACES])
{
  for (int i = 0; i < 1 << n; i++) {
    if (brink__side_rhs(x, i, t, y) != 0)
      return 0;
    for (int s = 0; s < n; s++)
      if (!brink__side_rate(x, 0, guard[s], t, y, x->side[i].f, &r[i][s]))
        return 0;
  }
  return 1;
}

/* How far the weight a is outside [0, 1]. */
static double outside(double a) { return brink__max(brink__max(-a, a - 1), 0); }

/* The first weight for the second one b: (1-a) P + a Q = 0 for both surfaces, by the
 * one that tells more. */
static double first_weight(double r[][MOST_SURFACES], double b)
{
  double a = 0, most = -1;

  for (int s = 0; s < 2; s++) {
    double p = (1 - b) * r[0][s] + b * r[2][s], q = (1 - b) * r[1][s] + b * r[3][s];
    if (fabs(p - q) > most) {
      most = fabs(p - q);
      a = p / (p - q);
    }
  }
  return a;
}

/* The weights of the bilinear selection: b makes P_1 Q_2 - P_2 Q_1 zero, a quadratic,
 * of whose zeros the one nearest to [0, 1] is taken, with its a. */
static int bilinear(double r[][MOST_SURFACES], double *weight)
{
  double at[3], best = HUGE_VAL;

  for (int i = 0; i < 3; i++) {
    double b = 0.5 * i, p[2], q[2];
    for (int s = 0; s < 2; s++) {
      p[s] = (1 - b) * r[0][s] + b * r[2][s];
      q[s] = (1 - b) * r[1][s] + b * r[3][s];
    }
    at[i] = p[0] * q[1] - p[1] * q[0];
  }
  double c = at[0], lin = 4 * at[1] - 3 * at[0] - at[2],
         quad = 2 * at[0] + 2 * at[2] - 4 * at[1];
  double disc = lin * lin - 4 * quad * c;
  if (disc < 0)
    disc = 0; /* trial points of a step beyond the exit */
  double w = -0.5 * (lin + (lin < 0 ? -sqrt(disc) : sqrt(disc)));
  double root[2] = {quad != 0 ? w / quad : nan(""), w != 0 ? c / w : nan("")};
  for (int i = 0; i < 2; i++) {
    double a = first_weight(r, root[i]), off = outside(a) + outside(root[i]);
    if (isfinite(a) && isfinite(root[i]) && off < best) {
      best = off;
      weight[0] = a;
      weight[1] = root[i];
    }
  }
  return best < HUGE_VAL;
}

/* The weights of the sides that are reached through each surface; 0: there are none. */
static int weights(double r[][MOST_SURFACES], int n, double *weight)
{
  if (n == 2)
    return bilinear(r, weight);
  weight[0] = r[0][0] / (r[0][0] - r[1][0]);
  return isfinite(weight[0]);
}

/* The weight of side i. */
static double of_side(const double *weight, int n, int i)
{
  double w = 1;

  for (int s = 0; s < n; s++)
    w *= (i >> s) & 1 ? weight[s] : 1 - weight[s];
  return w;
}

static void guards_of(const brink__held *h, int *guard)
{
  for (int s = 0; s < h->n_surfaces; s++)
    guard[s] = leader(h, s)->guard;
}

/* Laws of all sides at (t, y), to their f, and the weights. */
static int solve(brink__extended *x, double t, const double *y, double *weight)
{
  const brink__held *h = x->active;
  double r[1 << MOST_SURFACES][MOST_SURFACES];
  int guard[MOST_SURFACES];

  guards_of(h, guard);
  return rates(x, guard, h->n_surfaces, t, y, r) && weights(r, h->n_surfaces, weight);
}

static void mix(const brink__extended *x, const double *weight, int n, double *f)
{
  size_t dim = x->side[0].flow.n;

  for (size_t m = 0; m < dim; m++) {
    f[m] = 0;
    for (int i = 0; i < 1 << n; i++)
      f[m] += of_side(weight, n, i) * x->side[i].f[m];
  }
}

static int rhs(brink__extended *x, double t, const double *y, double *f)
{
  double weight[MOST_SURFACES];

  if (!solve(x, t, y, weight))
    return 1;
  mix(x, weight, x->active->n_surfaces, f);
  return 0;
}

static int exit_guard(brink__extended *x, int surface, double t, const double *y,
                      double *value)
{
  double weight[MOST_SURFACES];

  if (!solve(x, t, y, weight))
    return 1;
  *value = -4 * weight[surface] * (1 - weight[surface]);
  return 0;
}

static int leave(brink__extended *x, int surface, double t, const double *y)
{
  double weight[MOST_SURFACES];

  return solve(x, t, y, weight) && weight[surface] > 0.5;
}

/* ------------------------------------------------------------- projection --- */

/* How far each surface is from its level; 0: all are where they should be, within the
 * rounding that the level shows. */
static int off_by(brink__extended *x, double t, const double *y, double *off)
{
  const brink__held *h = x->active;
  const brink_model *m = x->inner;
  int any = 0;

  for (int s = 0; s < h->n_surfaces; s++) {
    const brink__hold *hold = leader(h, s);
    double g;
    if (m->ops->guard(m, x->side[0].live, h->base, hold->guard, t, y, &g) != 0)
      return -1;
    off[s] = hold->level - g;
    if (off[s] != 0 && !(g * hold->sign > 0 && fabs(g) <= 4 * fabs(hold->level)))
      any = 1;
  }
  return any;
}

/* Steps tau[s] along f_s - f_0, where side 1 << s is across surface s alone. */
static int newton(brink__extended *x, double t, double *y, const double *off)
{
  const brink__held *h = x->active;
  double r[1 << MOST_SURFACES][MOST_SURFACES], tau[MOST_SURFACES] = {0};
  int guard[MOST_SURFACES];

  guards_of(h, guard);
  if (!rates(x, guard, h->n_surfaces, t, y, r))
    return -1;
  double a = r[1][0] - r[0][0];
  if (h->n_surfaces == 1) {
    tau[0] = off[0] / a;
  } else {
    double b = r[2][0] - r[0][0], c = r[1][1] - r[0][1], d = r[2][1] - r[0][1];
    double det = a * d - b * c;
    tau[0] = (off[0] * d - b * off[1]) / det;
    tau[1] = (a * off[1] - c * off[0]) / det;
  }
  for (int s = 0; s < h->n_surfaces; s++) {
    if (!isfinite(tau[s]))
      return -1;
    const double *f = x->side[1 << s].f;
    for (size_t m = 0; m < x->side[0].flow.n; m++)
      y[m] += tau[s] * (f[m] - x->side[0].f[m]);
  }
  return 1;
}

static int project(brink__extended *x, double t, const double *unit, double *y)
{
  double off[MOST_SURFACES];
  int moved = 0, any;

  (void)unit;
  for (int i = 0; i < NEWTON && (any = off_by(x, t, y, off)) != 0; i++) {
    if (any < 0 || newton(x, t, y, off) < 0)
      return -1;
    moved = 1;
  }
  return moved;
}

/* ----------------------------------------------------------------- values --- */

/* A guard that is not held: what its value is on all sides, or the mixture. */
static int guard(brink__extended *x, int k, double t, const double *y, double *g)
{
  const brink__held *h = x->active;
  const brink_model *m = x->inner;
  double weight[MOST_SURFACES], v[1 << MOST_SURFACES] = {0};
  int differ = 0, n = h->n_surfaces;

  for (int i = 0; i < 1 << n; i++) {
    const brink__side *s = &x->side[i];
    v[i] = v[0];
    if (s->mode != h->base)
      continue;
    int rc = m->ops->guard(m, s->live, s->mode, k, t, y, &v[i]);
    if (rc != 0)
      return rc;
    differ |= v[i] != v[0];
  }
  *g = v[0];
  if (!differ)
    return 0;
  if (!solve(x, t, y, weight))
    return 1;
  *g = 0;
  for (int i = 0; i < 1 << n; i++)
    *g += of_side(weight, n, i) * v[i];
  return 0;
}

/* Real variables that are no states are mixtures of those on the sides: a friction
 * force is then that which keeps the body at rest. */
static brink_status values(brink__extended *x, double t, const double *y, double *out,
                           brink_err *err)
{
  const brink_model *m = x->inner;
  int n = x->active->n_surfaces;
  double weight[MOST_SURFACES], *v = x->variables;

  if (!solve(x, t, y, weight))
    return brink__fail_at(err, BRINK_EDOMAIN, t,
                          "the law of sliding has no value at t = %.9g", t);
  mix(x, weight, n, x->slope);
  BRINK_TRY(m->ops->values(m, x->side[0].live, x->side[0].mode, t, y, out, err));
  brink__copy(v + m->n_vars, out, m->n_vars);
  for (int i = 1; i < 1 << n; i++) {
    const brink__side *s = &x->side[i];
    double w = of_side(weight, n, i);
    BRINK_TRY(m->ops->values(m, s->live, s->mode, t, y, v, err));
    for (size_t k = 0; k < m->n_vars; k++)
      if (m->vars[k].type == BRINK_REAL && v[k] != v[m->n_vars + k])
        out[k] += w * (v[k] - v[m->n_vars + k]);
  }
  return BRINK_OK;
}

static const brink__law law = {.name = "sliding",
                               .enters = BRINK_KIND_SLIDE_IN,
                               .leaves = BRINK_KIND_SLIDE_OUT,
                               .rhs = rhs,
                               .project = project,
                               .exit = exit_guard,
                               .leave = leave,
                               .guard = guard,
                               .values = values};

/* --------------------------------------------------------- which surfaces --- */

/* A direction in which no two different surfaces are alike. */
static void some_direction(size_t n, double *d)
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
      some_direction(n, d);
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

/* How guard k was held before these instants; NULL: it was not, or it has been moved.
 */
static const brink__hold *was_held(const brink__extended *x, int k)
{
  const brink__held *h = x->before;

  if (!h || h->base != x->sim->mode || h->law != &law || h->held_by[k] < 0)
    return NULL;
  const brink__hold *hold = &h->hold[h->held_by[k]];
  const brink__watch *w = &x->sim->regime->guards.watch[k];
  return brink__on_zero(w) || fabs(w->g) <= 4 * fabs(hold->level) ? hold : NULL;
}

/* Has its surface just been left through its exit guard? */
static int was_left(const brink__extended *x, int k)
{
  const brink__hold *hold = was_held(x, k);

  return hold && (x->left >> hold->surface) & 1;
}

/* May guard k be one that is slid along? */
static int candidate(const brink__extended *x, int k)
{
  const brink_sim *sim = x->sim;
  const brink_model *m = x->inner;

  return !was_left(x, k) &&
         (was_held(x, k) || brink__on_zero(&sim->regime->guards.watch[k])) &&
         m->ops->guard_side(m, sim->live, sim->mode, k) != BRINK_BEFORE;
}

/* The value at which a guard is held: where its event has left it, or farther, on the
 * side on which its relation is what the live object has, so that rounding does not
 * bring it to exactly 0, where another value may hold. */
static double level_of(brink__extended *x, int k, int sign)
{
  brink_sim *sim = x->sim;
  brink__guards *g = &sim->regime->guards;
  const brink__watch *w = &g->watch[k];
  double *noise = x->slope, delta;
  brink_err ignored;

  if (w->displaced || w->g == 0)
    return 0;
  for (size_t i = 0; i < g->n_states; i++)
    noise[i] = 4 * DBL_EPSILON * fabs(sim->y[i]);
  if (brink__guard_rounding(g, k, sim->t, sim->y, noise, BRINK__FAR, &delta, &ignored) <
      0)
    delta = 0;
  return sign * brink__max(brink__min(fabs(w->g), w->band), delta);
}

/* Add the surface of guard k, which the law leads across in direction dir. */
static int add_surface(brink__extended *x, surfaces *s, int k, int dir, double t,
                       const double *y, const double *f)
{
  const brink__side *own = &x->side[0];
  const brink__guards *g = &x->sim->regime->guards;
  double ratio;

  for (int j = 0; j < g->n; j++) {
    ratio = 1;
    if (j != k && (!candidate(x, j) || in_surfaces(s, j) ||
                   !same_surface(x, k, 0, j, t, y, f, &ratio)))
      continue;
    int target = ratio > 0 ? dir : -dir;
    if (own->sign[j] != -target || s->p.n == BRINK__MOST_HELD)
      return 0; /* its relations do not agree: an event comes first */
    const brink__hold *old = was_held(x, j);
    double level = level_of(x, j, -target);
    s->target[s->p.n] = target;
    s->p.hold[s->p.n++] =
        (brink__hold){.guard = j,
                      .surface = s->n,
                      .sign = -target,
                      .level = old && old->sign == -target ? old->level : level};
  }
  s->p.n_surfaces = ++s->n;
  return 1;
}

/* A guard on its zero that f leads across, into an event, or one that was held; -1:
 * none. */
static int next_guard(brink__extended *x, const surfaces *s, double t, const double *y,
                      const double *f, int *dir)
{
  const brink__side *own = &x->side[0];

  for (int k = 0; k < x->sim->regime->guards.n; k++) {
    double r;
    if (in_surfaces(s, k) || !candidate(x, k) || !brink__side_acts(x, 0, k) ||
        !brink__side_rate(x, 0, k, t, y, f, &r))
      continue;
    *dir = -own->sign[k];
    if (r * own->sign[k] < 0 || was_held(x, k))
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

/* Do the laws of sides a and b agree where they were last asked? */
static int same_law(const brink__extended *x, int a, int b, int other)
{
  const double *fa = x->side[a].f, *fb = x->side[b].f, *fc = x->side[other].f;

  for (size_t m = 0; m < x->side[a].flow.n; m++)
    if (fabs(fa[m] - fb[m]) > SAME_LAW * (fabs(fa[m]) + fabs(fc[m])))
      return 0;
  return 1;
}

/* Does the law of side i lead back across the surface of guard `leads`, into an event
 * that gives the law of side 0 again?  A switch with hysteresis, or one that remembers,
 * does not. */
static int leads_back(brink__extended *x, int i, int leads, double t, const double *y)
{
  const brink__side *s = &x->side[i];
  int n_guards = x->inner->ops->mode_info(x->inner, s->live, s->mode)->n_guards, n = 0;
  double r, ratio;

  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  for (int k = 0; k < n_guards; k++)
    if (s->on_zero[k] && brink__side_acts(x, i, k) &&
        brink__side_rate(x, i, k, t, y, s->f, &r) && r * s->sign[k] < 0 &&
        same_surface(x, leads, i, k, t, y, s->f, &ratio)) {
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
  int guard[MOST_SURFACES];

  for (int i = s->p.n - 1; i >= 0; i--)
    guard[s->p.hold[i].surface] = s->p.hold[i].guard;
  for (int i = 1; i < 1 << s->n; i++) {
    int last = i >> 1; /* the highest surface that is crossed */
    int found = across(x, s, last, i & ~(1 << last), i, t, y);
    if (found <= 0)
      return found;
  }
  return rates(x, guard, s->n, t, y, r);
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

/* Two surfaces meet here: which of them are held?  A solution that can leave does. */
static int of_two(surfaces *s, double r[][MOST_SURFACES])
{
  double weight[2];
  int leaving = 0;

  if (leaves_into(s, 0, r))
    return 0;
  for (int surface = 0; surface < 2; surface++)
    if (slides_along(s, surface, 0, r)) {
      keep(s, surface);
      return 1;
    }
  for (int i = 1; i < 4; i++)
    leaving +=
        leaves_into(s, i, r) || slides_along(s, 0, i, r) || slides_along(s, 1, i, r);
  if (!leaving)
    return bilinear(r, weight) && outside(weight[0]) + outside(weight[1]) == 0;
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

/* Sides of one surface that is new: it must lead back. */
static int enters(brink__extended *x, const surfaces *s, double t, const double *y,
                  double r[][MOST_SURFACES])
{
  if (!attracts(s, 0, 0, r))
    return 0;
  int leads = s->p.hold[0].guard;
  return was_held(x, leads) ? 1 : leads_back(x, 1, leads, t, y);
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

int brink__sliding_propose(brink__extended *x, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  double t = sim->t, r[1 << MOST_SURFACES][MOST_SURFACES], weight[MOST_SURFACES];
  const double *y = sim->y, *f = x->side[0].f;
  surfaces s = {.p = {.law = &law}};
  int dir, k, met = 0;

  brink__side_own(x);
  if (brink__side_rhs(x, 0, t, y) != 0)
    return 0;
  while (s.n == met && (k = next_guard(x, &s, t, y, f, &dir)) >= 0) {
    if (met == MOST_SURFACES)
      return (int)too_many(x, &s, k);
    if (!add_surface(x, &s, k, dir, t, y, x->side[0].f))
      return 0;
    met++;
    int found = decide(x, &s, t, y, r);
    if (found <= 0)
      return found;
    if (!weights(r, s.n, weight))
      return 0;
    mix(x, weight, s.n, x->slope);
    f = x->slope;
  }
  *out = s.p;
  return s.n > 0;
}

int brink__sliding_possible(const brink_sim *sim, unsigned classes, int begins)
{
  const brink__guards *g = &sim->regime->guards;

  if (!begins &&
      ((classes & BRINK_SE_S) || !(classes & (BRINK_SE_P | BRINK_SE_I | BRINK_SE_D))))
    return 0;
  for (int k = 0; k < g->n; k++)
    if (brink__on_zero(&g->watch[k]))
      return 1;
  return 0;
}
