/* sliding_law.c -- the laws of solutions that slide along one or two surfaces, or along
 * none, and rest on faces.
 *
 * On g = 0 with the laws f_0 and f_1 beside it, Filippov's law is their convex
 * combination that stays there [Filippov88, 4]:
 *
 *   f_s = (1 - alpha) f_0 + alpha f_1,   alpha = r_0/(r_0 - r_1),   r_i = L_{f_i} g.
 *
 * On two surfaces at once four laws are combined with the weights of the bilinear
 * selection [DL11], (1-a)(1-b), a(1-b), (1-a)b, ab, so that both stay zero.  A surface
 * is left where its weight leaves [0, 1]: the exit guard is -4 a(1 - a), whose zeros
 * are both ends.  The weights are smooth beyond them, and so is the law: a step may
 * reach past the exit, which is located on it.
 *
 * Off the surface by rounding, or by the curvature of g along a step, the state is put
 * back along f_1 - f_0, the direction in which the laws differ: both satisfy the
 * constraints of the base mode, and so, to first order, does their difference.
 *
 * Faces (contact.h) are held by reactions that the laws of the sides have in them
 * (brink__side_rhs), each its own; the reaction is their mixture.  Without a surface to
 * slide along there is one side, and this is the law of contacts.
 *
 * The regularized law gives the sides the weights (1 -+ g/w)/2 in the layer |g| < w,
 * which the state may cross, and holds no guard at zero: the solution comes to where
 * Filippov's weights are, within a time of the order of w, and is off by as much.
 */
#include "hybrid/filippov.h"

#include <float.h>
#include <math.h>

/* A rate is zero if no more of it is left than so many roundings of its parts: four
 * weights are products of two quotients, which are good to four roundings each. */
static const double MIX_ROUNDINGS = 16;

/* A projection by Newton's method along the difference of the laws takes so many steps
 * at most: the first leaves the square of what the step has left. */
enum { NEWTON = 3 };

/* Moves to the other side of one or two surfaces along fixed directions. */
enum { TURNS = 6 };

/* -------------------------------------------------------------------- law --- */

/* The leader of a surface. */
static const brink__hold *leader(const brink__held *h, int surface)
{
  return brink__leader(h->hold, surface);
}

/* The surfaces that are slid along come before those that are faces (contact.h). */
static int n_slides(const brink__held *h) { return h->n_surfaces - h->n_faces; }

/* Move y along x->across to where the n surfaces have the signs that they have on side
 * i, by rounding, into x->beside.  0: that does not succeed. */
static int move_beside(brink__extended *x, const brink__hold *const *leaders, int n,
                       int i, double t, const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  size_t dim = own->flow.n;
  int off = 1;

  brink__copy(x->beside, y, dim);
  for (int turn = 0; turn < TURNS && off; turn++) {
    off = 0;
    for (int s = 0; s < n; s++) {
      const brink__hold *hold = leaders[s];
      const double *d = x->across + (size_t)s * m->max_n;
      double level = (i >> s) & 1 ? -hold->level : hold->level, g, rate, alone;
      brink__fill_bytes(x->slope, 0, dim * sizeof *x->slope);
      if (m->ops->guard(m, own->live, own->mode, hold->guard, t, x->beside, &g) != 0 ||
          !brink__side_rate(x, 0, hold->guard, t, x->beside, d, &rate) ||
          !brink__side_rate(x, 0, hold->guard, t, x->beside, x->slope, &alone))
        return 0;
      if (g * level >= 0 && fabs(g) <= 4 * fabs(level))
        continue;
      off = 1;
      for (size_t k = 0; k < dim; k++)
        x->beside[k] += (level - g) / (rate - alone) * d[k];
    }
  }
  return !off;
}

/* Directions across the surfaces, to x->across, where the differences of the laws are
 * not known, or lead along them: the gradients of their guards. */
static int note_gradients(brink__extended *x, const brink__hold *const *leaders, int n,
                          double t, const double *y)
{
  for (int s = 0; s < n; s++)
    if (!brink__guard_gradient(x, leaders[s]->guard, t, y, x->beside,
                               x->across + (size_t)s * x->inner->max_n))
      return 0;
  return 1;
}

/* The law of side i of n surfaces at (t, y), to its f.  Where it does not exist beyond
 * the surface, as roots and unilateral events say, it is that of the nearest point on
 * its own side: on the surface both are the same.  Laws with a root of the guard
 * are asked at the same distance from it, so that their mean has no part of it. */
static int side_law(brink__extended *x, const brink__hold *const *leaders, int n, int i,
                    double t, const double *y)
{
  const brink__hold *first = n ? leaders[0] : NULL;

  x->side[i].edge = 1;
  if (first && first->rooted)
    return brink__move_to_level(x, first->guard, (i & 1) ? -first->level : first->level,
                                t, y, x->slope, x->beside)
               ? brink__side_rhs(x, i, t, x->beside)
               : 1;
  x->side[i].edge = 0;
  int rc = brink__side_rhs(x, i, t, y);
  if (rc <= 0 || n == 0 || (!x->active && !note_gradients(x, leaders, n, t, y)) ||
      !move_beside(x, leaders, n, i, t, y))
    return rc;
  x->side[i].edge = 1;
  return brink__side_rhs(x, i, t, x->beside);
}

/* The differences of the laws across each surface, where they are proposed. */
static void note_across(brink__extended *x, int n)
{
  for (int s = 0; s < n; s++)
    for (size_t k = 0; k < x->side[0].flow.n; k++)
      x->across[(size_t)s * x->inner->max_n + k] =
          x->side[1 << s].f[k] - x->side[0].f[k];
}

/* Rates r[side][surface]; 0: a law or a guard has no value at (t, y). */
int brink__sliding_rates(brink__extended *x, const brink__hold *const *leaders, int n,
                         double t, const double *y, double r[][BRINK__SLIDING_SURFACES])
{
  for (int i = 0; i < 1 << n; i++) {
    if (side_law(x, leaders, n, i, t, y) != 0)
      return 0;
    for (int s = 0; s < n; s++) {
      int k = leaders[s]->guard;
      if (!(leaders[s]->order > 1
                ? brink__second_rate(x, i, leaders[s], t, y, &r[i][s])
                : brink__side_rate(x, 0, k, t, y, x->side[i].f, &r[i][s])))
        return 0;
    }
  }
  if (x->active || n == 0)
    return 1;
  if (leaders[0]->order > 1)
    return note_gradients(x, leaders, n, t, y);
  note_across(x, n);
  return 1;
}

/* How far the weight a is outside [0, 1]. */
double brink__weight_outside(double a) { return brink__max(brink__max(-a, a - 1), 0); }

/* The first weight for the second one b: (1-a) P + a Q = 0 for both surfaces, by the
 * one that tells more. */
static double first_weight(double r[][BRINK__SLIDING_SURFACES], double b)
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

/* In layers around both surfaces weights grow by -sign times the rate of their guard:
 * is the point with these weights no saddle there?  Where the two laws of a pair of
 * opposite sides lead apart, one zero of the quadratic is a saddle, from which any
 * disturbance leads away, and the other one attracts.  signs: product of the signs of
 * the guards on side 0. */
static int attracts_weights(double r[][BRINK__SLIDING_SURFACES], int signs, double a,
                            double b)
{
  double da[2], db[2];

  for (int s = 0; s < 2; s++) {
    da[s] = (1 - b) * (r[1][s] - r[0][s]) + b * (r[3][s] - r[2][s]);
    db[s] = (1 - a) * (r[2][s] - r[0][s]) + a * (r[3][s] - r[1][s]);
  }
  return signs * (da[0] * db[1] - da[1] * db[0]) > 0;
}

/* Zeros of the quadratic that are no farther from [0, 1] are of interest both: one may
 * come in, or the one that is followed has just gone out. */
static const double NEAR = 0.5;

/* The weights of the bilinear selection: b makes P_1 Q_2 - P_2 Q_1 zero, a quadratic,
 * of whose zeros the one that attracts is taken if both are near [0, 1], and the nearer
 * one otherwise, with its a. */
static int bilinear(double r[][BRINK__SLIDING_SURFACES], int signs, double *weight)
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
    double a = first_weight(r, root[i]),
           off = brink__weight_outside(a) + brink__weight_outside(root[i]);
    if (off <= NEAR && attracts_weights(r, signs, a, root[i]))
      off = -1;
    if (isfinite(a) && isfinite(root[i]) && off < best) {
      best = off;
      weight[0] = a;
      weight[1] = root[i];
    }
  }
  return best < HUGE_VAL;
}

/* The weights of the sides that are reached through each surface; 0: there are none. */
int brink__sliding_weights(double r[][BRINK__SLIDING_SURFACES], int n, int order,
                           const brink__hold *hold, double *weight)
{
  if (n == 0)
    return 1;
  if (order > 1)
    return brink__second_order_weights(r, n, weight);
  if (n == 2)
    return bilinear(r, brink__leader(hold, 0)->sign * brink__leader(hold, 1)->sign,
                    weight);
  /* at a two-fold both rates are 0: any weight keeps the guard where it is */
  weight[0] = r[0][0] == 0 && r[1][0] == 0 ? 0.5 : r[0][0] / (r[0][0] - r[1][0]);
  return isfinite(weight[0]);
}

double brink__side_share(const double *weight, int n, int i)
{
  double w = 1;

  for (int s = 0; s < n; s++)
    w *= (i >> s) & 1 ? weight[s] : 1 - weight[s];
  return w;
}

static void leaders_of(const brink__held *h, const brink__hold **leaders)
{
  for (int s = 0; s < n_slides(h); s++)
    leaders[s] = leader(h, s);
}

/* By how much guard k changes where each state does by its nominal value, and where
 * each does by 1: their ratio, 1 where it is not known. */
static double in_nominal_units(brink_sim *sim, int k)
{
  brink__guards *g = &sim->regime->guards;
  double *size = brink__work_row(sim, 2), nominal, one;
  brink_err ignored;

  if (!sim->model->ops->nominals(sim->model, sim->live, sim->mode, size) ||
      brink__guard_rounding(g, k, sim->t, sim->y, size, 1, &nominal, &ignored) < 0)
    return 1;
  for (size_t i = 0; i < g->n_states; i++)
    size[i] = 1;
  if (brink__guard_rounding(g, k, sim->t, sim->y, size, 1, &one, &ignored) < 0)
    return 1;
  double ratio = nominal / one;
  return ratio > 0 && isfinite(ratio) ? ratio : 1;
}

double brink__sliding_width(brink_sim *sim, int k)
{
  return sim->opt.sliding_width > 0 ? sim->opt.sliding_width
                                    : sqrt(sim->opt.rtol) * in_nominal_units(sim, k);
}

/* The value of the leading guard of a surface. */
static int guard_value(brink__extended *x, int surface, double t, const double *y,
                       double *g)
{
  const brink_model *m = x->inner;
  const brink__held *h = x->active;

  return m->ops->guard(m, x->side[0].live, h->base, leader(h, surface)->guard, t, y, g);
}

/* Laws of all sides at (t, y), to their f, and weights that depend on where the state
 * is in the layer. */
static int solve_layer(brink__extended *x, double t, const double *y, double *weight)
{
  const brink__held *h = x->active;
  double g;

  for (int i = 0; i < 1 << n_slides(h); i++)
    if (brink__side_rhs(x, i, t, y) != 0)
      return 0;
  for (int s = 0; s < n_slides(h); s++) {
    if (guard_value(x, s, t, y, &g) != 0)
      return 0;
    weight[s] = 0.5 * (1 - leader(h, s)->sign * g / leader(h, s)->width);
  }
  return 1;
}

/* Laws of all sides at (t, y), to their f, and the weights. */
static int solve(brink__extended *x, double t, const double *y, double *weight)
{
  const brink__held *h = x->active;
  double r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES];
  const brink__hold *leaders[BRINK__SLIDING_SURFACES];

  if (h->law == &brink__regularized_law)
    return solve_layer(x, t, y, weight);
  leaders_of(h, leaders);
  if (n_slides(h) && leaders[0]->rooted) { /* the law is smooth along the zero only */
    brink__copy(x->shift, y, h->info.n);
    y = x->shift;
    if (brink__second_order_project(x, leaders[0], t, x->shift) < 0)
      return 0;
  }
  return brink__sliding_rates(x, leaders, n_slides(h), t, y, r) &&
         brink__sliding_weights(r, n_slides(h), h->hold[0].order, h->hold, weight);
}

void brink__sliding_mix(const brink__extended *x, const double *weight, int n,
                        double *f)
{
  size_t dim = x->side[0].flow.n;

  for (size_t m = 0; m < dim; m++) {
    double size = 0;
    f[m] = 0;
    for (int i = 0; i < 1 << n; i++) {
      double part = brink__side_share(weight, n, i) * x->side[i].f[m];
      f[m] += part;
      size += fabs(part);
    }
    if (fabs(f[m]) <= MIX_ROUNDINGS * DBL_EPSILON * size)
      f[m] = 0;
  }
}

static int rhs(brink__extended *x, double t, const double *y, double *f)
{
  double weight[BRINK__SLIDING_SURFACES];

  if (!solve(x, t, y, weight))
    return 1;
  brink__sliding_mix(x, weight, n_slides(x->active), f);
  return 0;
}

/* The reaction of a face is the mixture of those on the sides. */
static double reaction(const brink__extended *x, const double *weight, int face)
{
  int n = n_slides(x->active);
  double sum = 0;

  for (int i = 0; i < 1 << n; i++)
    sum += brink__side_share(weight, n, i) * x->side[i].lambda[face];
  return sum;
}

/* Do the laws on both sides of the only surface lead away from it?  Their f are those
 * that were last asked, and so are the weights. */
static int repels(brink__extended *x, double t, const double *y)
{
  const brink__hold *hold = leader(x->active, 0);
  double own, other;

  return x->active->law != &brink__regularized_law && hold->order == 1 &&
         brink__side_rate(x, 0, hold->guard, t, y, x->side[0].f, &own) &&
         brink__side_rate(x, 0, hold->guard, t, y, x->side[1].f, &other) &&
         own * hold->sign > 0 && other * hold->sign < 0;
}

/* A surface is left where its weight leaves [0, 1], and where both rates change their
 * signs at once (a two-fold), so that it repels while its weight stays inside.  A face
 * is left where its reaction would become a pull. */
static int exit_guards(brink__extended *x, double t, const double *y, double *value)
{
  const brink__held *h = x->active;
  double weight[BRINK__SLIDING_SURFACES];
  int slides = n_slides(h);

  if (!solve(x, t, y, weight))
    return 1;
  for (int s = 0; s < slides; s++)
    value[s] = -4 * weight[s] * (1 - weight[s]);
  for (int s = slides; s < h->n_surfaces; s++)
    value[s] = -reaction(x, weight, s - slides);
  if (slides == 1 && value[0] < 0 && repels(x, t, y))
    value[0] = -value[0];
  return 0;
}

/* A body that leaves a face is inside, by the law that it has left.  The event of a
 * switch with a hysteresis is at the end of its band, where the law of the live object
 * leads. */
static int leave(brink__extended *x, int surface, double t, const double *y)
{
  double weight[BRINK__SLIDING_SURFACES];

  return surface < n_slides(x->active) && !(leader(x->active, surface)->band > 0) &&
         solve(x, t, y, weight) && weight[surface] > 0.5;
}

/* ------------------------------------------------------------- projection --- */

/* How far each surface is from its level; 0: all are where they should be, within the
 * rounding that the level shows. */
static int off_by(brink__extended *x, double t, const double *y, double *off)
{
  const brink__held *h = x->active;
  int any = 0;

  for (int s = 0; s < n_slides(h); s++) {
    const brink__hold *hold = leader(h, s);
    double g;
    if (guard_value(x, s, t, y, &g) != 0)
      return -1;
    off[s] = hold->level - g;
    if (off[s] != 0 && !(g * hold->sign > 0 && fabs(g) <= 4 * fabs(hold->level)))
      any = 1;
  }
  return any;
}

int brink__sliding_move(const brink__extended *x, double r[][BRINK__SLIDING_SURFACES],
                        int n, const double *off, double *y)
{
  double a = r[1][0] - r[0][0], tau[BRINK__SLIDING_SURFACES] = {off[0] / a, 0};

  if (n == 2) {
    double b = r[2][0] - r[0][0], c = r[1][1] - r[0][1], d = r[2][1] - r[0][1];
    double det = a * d - b * c;
    tau[0] = (off[0] * d - b * off[1]) / det;
    tau[1] = (a * off[1] - c * off[0]) / det;
  }
  for (int s = 0; s < n; s++) {
    if (!isfinite(tau[s]))
      return 0;
    const double *f = x->side[1 << s].f;
    for (size_t m = 0; m < x->side[0].flow.n; m++)
      y[m] += tau[s] * (f[m] - x->side[0].f[m]);
  }
  return 1;
}

static int newton(brink__extended *x, double t, double *y, const double *off)
{
  const brink__held *h = x->active;
  double r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES];
  const brink__hold *leaders[BRINK__SLIDING_SURFACES];

  leaders_of(h, leaders);
  return brink__sliding_rates(x, leaders, n_slides(h), t, y, r) &&
                 brink__sliding_move(x, r, n_slides(h), off, y)
             ? 1
             : -1;
}

/* The farthest surface, in units of its level. */
static double farthest(const brink__held *h, const double *off)
{
  double most = 0;

  for (int s = 0; s < n_slides(h); s++) {
    double level = fabs(leader(h, s)->level);
    most = brink__max(most, level > 0 ? fabs(off[s]) / level : fabs(off[s]));
  }
  return most;
}

/* A step that comes no nearer is undone: a guard without a value (a root, beyond its
 * end) has one that stands for it, and no zero. */
static int project_slides(brink__extended *x, double t, double *y)
{
  const brink__held *h = x->active;
  double off[BRINK__SLIDING_SURFACES],
      far = HUGE_VAL, *before = brink__work_row(x->sim, BRINK__PROJECT_ROW);
  int moved = 0, any;

  if (n_slides(h) && leader(h, 0)->order > 1)
    return brink__second_order_project(x, leader(h, 0), t, y);
  for (int i = 0; i < NEWTON && (any = off_by(x, t, y, off)) != 0; i++) {
    if (any > 0 && farthest(h, off) >= far) {
      brink__copy(y, before, h->info.n);
      return i > 1;
    }
    far = farthest(h, off);
    brink__copy(before, y, h->info.n);
    if (any < 0 || newton(x, t, y, off) < 0)
      return -1;
    moved = 1;
  }
  return moved;
}

/* Differences of laws with reactions move along the faces, to first order: both in turn
 * come to where all hold. */
static int project(brink__extended *x, double t, const double *unit, double *y)
{
  int moved = 0, slides = 1;

  (void)unit;
  for (int i = 0; i < NEWTON && slides; i++) {
    int faces = x->n_faces ? brink__faces_project(x, t, y) : 0;
    slides = faces < 0 ? -1 : project_slides(x, t, y);
    if (slides < 0)
      return -1;
    moved |= faces | slides;
    slides = slides && x->n_faces;
  }
  return moved;
}

/* ----------------------------------------------------------------- values --- */

/* A guard that is not held: what its value is on all sides, or the mixture. */
static int guard(brink__extended *x, int k, double t, const double *y, double *g)
{
  const brink__held *h = x->active;
  const brink_model *m = x->inner;
  double weight[BRINK__SLIDING_SURFACES], v[1 << BRINK__SLIDING_SURFACES] = {0};
  int differ = 0, n = n_slides(h);

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
    *g += brink__side_share(weight, n, i) * v[i];
  return 0;
}

/* Is variable k one of the mode of side i?  Those of modes that are not active keep the
 * values that they had last. */
static int is_active(const brink__extended *x, int i, size_t k)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];

  return !m->ops->is_active || m->ops->is_active(m, s->live, s->mode, k);
}

/* The state of side i where its law was just asked: at y, or beside it, where its
 * relations hold. */
static const double *side_state(brink__extended *x, int i, double t, const double *y)
{
  const brink__hold *leaders[BRINK__SLIDING_SURFACES];

  leaders_of(x->active, leaders);
  if ((x->side[i].edge || leaders[0]->rooted) &&
      move_beside(x, leaders, n_slides(x->active), i, t, y))
    y = x->beside;
  return y;
}

static brink_status side_values(brink__extended *x, int i, double t, const double *y,
                                double *out, brink_err *err)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];

  y = side_state(x, i, t, y);
  return m->ops->values(m, s->live, s->mode, t, brink__side_state(x, i, y), out, err);
}

/* Real variables that are no states are mixtures of those on the sides: a friction
 * force is then that which keeps the body at rest.  A variable that exists on some of
 * the sides only has the value that it has there. */
static brink_status values(brink__extended *x, double t, const double *y, double *out,
                           brink_err *err)
{
  const brink_model *m = x->inner;
  int n = n_slides(x->active);
  double weight[BRINK__SLIDING_SURFACES], *v = x->variables;

  if (!solve(x, t, y, weight))
    return brink__fail_at(err, BRINK_EDOMAIN, t,
                          "the law of sliding has no value at t = %.9g", t);
  BRINK_TRY(side_values(x, 0, t, y, out, err));
  brink__copy(v + m->n_vars, out, m->n_vars);
  for (int i = 1; i < 1 << n; i++) {
    double w = brink__side_share(weight, n, i);
    BRINK_TRY(side_values(x, i, t, y, v, err));
    for (size_t k = 0; k < m->n_vars; k++) {
      if (m->vars[k].type != BRINK_REAL || v[k] == v[m->n_vars + k] ||
          !is_active(x, i, k))
        continue;
      if (is_active(x, 0, k))
        out[k] += w * (v[k] - v[m->n_vars + k]);
      else
        out[k] = v[k];
    }
  }
  brink__sliding_mix(x, weight, n, x->slope);
  return BRINK_OK;
}

/* What is delayed is a mixture, too: of a relay, what it does on average. */
static int delayed(brink__extended *x, double t, const double *y, double *v)
{
  int n = n_slides(x->active), rc = 0;
  double weight[BRINK__SLIDING_SURFACES];

  if (!solve(x, t, y, weight))
    return 1;
  for (int i = 0; i < 1 << n && rc == 0; i++)
    rc = brink__mix_delayed(x, i, brink__side_share(weight, n, i), t,
                            side_state(x, i, t, y), v);
  return rc;
}

const brink__law brink__sliding_law = {.enters = BRINK_KIND_SLIDE_IN,
                                       .leaves = BRINK_KIND_SLIDE_OUT,
                                       .rhs = rhs,
                                       .project = project,
                                       .exit = exit_guards,
                                       .leave = leave,
                                       .guard = guard,
                                       .values = values,
                                       .delayed = delayed};

const brink__law brink__contact_law = {.enters = BRINK_KIND_REST,
                                       .leaves = BRINK_KIND_LIFT,
                                       .rhs = rhs,
                                       .project = project,
                                       .exit = exit_guards,
                                       .leave = leave};

static int project_faces(brink__extended *x, double t, const double *unit, double *y)
{
  (void)unit;
  return x->n_faces ? brink__faces_project(x, t, y) : 0;
}

const brink__law brink__regularized_law = {.enters = BRINK_KIND_SLIDE_IN,
                                           .leaves = BRINK_KIND_SLIDE_OUT,
                                           .rhs = rhs,
                                           .project = project_faces,
                                           .exit = exit_guards,
                                           .leave = leave,
                                           .guard = guard,
                                           .values = values,
                                           .delayed = delayed};
