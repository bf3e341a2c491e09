/* second_order.c -- sliding along a switch that acts on the second derivative of its
 * guard.
 *
 * A relay that pushes a mass by the sign of its place, x'' = -a sgn(x) - b sgn(x'),
 * switches ever faster and comes to x = x' = 0 after finite time; so does a rocking
 * block.  At that point dg/dt is 0 along both laws, and the second derivatives lead
 * across and back.  The solution goes on as Filippov's convex combination that keeps g
 * and dg/dt at 0 [Filippov88, 4]:
 *
 *   f_s = (1 - alpha) f_0 + alpha f_1,   alpha = r_0/(r_0 - r_1),
 *   r_i = L_{f_i} L_{f_0} g,
 *
 * which is the law of sliding (sliding_law.c) with these rates.  The state is put back
 * as that of a contact is (contact.h), with the difference of the laws for the
 * direction of the reaction: speeds along f_1 - f_0, positions along what these do to
 * f.
 *
 * There is no such law where dg/dt along f_1 - f_0 does not stay 0, as at a point where
 * both laws touch the surface from one side or the other: the laws lead apart there.
 */
#include "hybrid/contact.h"
#include "hybrid/surfaces.h"

#include <float.h>
#include <math.h>

/* dg/dt along the difference of the laws counts as 0 where it changes the second
 * derivative by less than this part; a law with a root of the guard changes it by the
 * root of a rounding. */
static const double TANGENT = 1e-6, TANGENT_WITH_ROOT = 1e-2;

/* That is looked at over this part of the time in which guards change much, or of t
 * where events follow each other so closely that differences over such a time are
 * rounding. */
static const double PART = 0x1p-10, PART_OF_T = 0x1p-20;

/* Laws with a root of the guard are smooth along its zero: differences over so many
 * times as long are above the rounding of the root. */
static const double ROOT_SPAN = 64;

/* A law with a root of the guard is told by its rates at one level beside the zero and
 * at another one, so many times as far. */
static const double HIGHER = 64;

/* Rates of two guards in one ratio, up to this, belong to one surface; derivatives of
 * callbacks are differences, known to about half of the digits. */
static const double PARALLEL = 1e-6;

/* The time over which the way of the solution is looked at. */
static double difference_span(const brink_sim *sim)
{
  return brink__max(PART * brink__rate_span(sim), PART_OF_T * fabs(sim->t));
}

/* Is the guard a state, and does dg/dt along the law of side 0 change like a root of
 * it: faster, from one level to the next, than within the time over which differences
 * are taken?  (Rounding of several states would move another guard by more than the
 * root can be told from.) */
static int has_root(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                    double t, const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  double g[2], r[2];

  if (m->ops->mode_info(m, own->live, own->mode)->guards[hold->guard].form !=
      BRINK__GUARD_STATE)
    return 0;
  for (int i = 0; i < 2; i++)
    if (!brink__move_to_level(x, hold->guard, (i ? HIGHER : 1) * hold->level, t, y,
                              c->gradient, c->base) ||
        m->ops->guard(m, own->live, own->mode, hold->guard, t, c->base, &g[i]) != 0 ||
        brink__lie_law(&c->lie, t, c->base, c->other) != 0 ||
        !brink__side_rate(x, 0, hold->guard, t, c->base, c->other, &r[i]))
      return 0;
  return difference_span(x->sim) * fabs(r[1] - r[0]) > fabs(g[1] - g[0]);
}

/* dg/dt along the law of side 0 near (t, y), at the level of the guard that is held. */
static int rate_at_level(brink__extended *x, brink__contacts *c,
                         const brink__hold *hold, double t, const double *y,
                         double *rate)
{
  return brink__move_to_level(x, hold->guard, hold->level, t, y, c->gradient,
                              c->base) &&
         brink__lie_law(&c->lie, t, c->base, c->other) == 0 &&
         brink__side_rate(x, 0, hold->guard, t, c->base, c->other, rate);
}

/* The second derivative where the law of side 0 has a root of the guard, so that dg/dt
 * has no derivative across the zero: by differences along it, at one level. */
static int rate_along_zero(brink__extended *x, brink__contacts *c, int i,
                           const brink__hold *hold, double t, const double *y,
                           double *rate)
{
  double s = ROOT_SPAN * difference_span(x->sim), first[2], *there = c->after;

  for (int j = 0; j < 2; j++) {
    double step = j ? s : -s;
    for (size_t m = 0; m < c->n; m++)
      there[m] = y[m] + step * x->side[i].f[m];
    if (!rate_at_level(x, c, hold, t + step, there, &first[j]))
      return 0;
  }
  *rate = (first[1] - first[0]) / (2 * s);
  return 1;
}

int brink__second_rate(brink__extended *x, int i, const brink__hold *hold, double t,
                       const double *y, double *rate)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  brink__estimate e[BRINK__LIE_ORDER + 1], across;

  if (c && hold->rooted)
    return rate_along_zero(x, c, i, hold, t, y, rate);
  if (!c || brink__lie_along(&c->lie, hold->guard, t, y, 2, e) < 2 ||
      brink__lie_law(&c->lie, t, y, c->other) != 0)
    return 0;
  for (size_t m = 0; m < c->n; m++)
    c->other[m] = x->side[i].f[m] - c->other[m];
  if (!brink__lie_across(&c->lie, hold->guard, t, y, 1, c->other, &across))
    return 0;
  *rate = e[2].value + across.value;
  return 1;
}

/* The law of side 0 has a root of the guard, which is at its zero and moves at the rate
 * `rate`: does it lead back and across, on a flight that is no higher than what can be
 * told from the zero? */
static int leads_across_root(brink__extended *x, const brink__hold *hold, double t,
                             const double *y, double rate)
{
  double second;

  return brink__second_rate(x, 0, hold, t, y, &second) && second * hold->sign < 0 &&
         rate * rate <= 2 * fabs(second * hold->level);
}

int brink__leads_across_later(brink__extended *x, int k, double t, const double *y,
                              double rate)
{
  const brink__side *own = &x->side[0];
  brink__estimate e[BRINK__LIE_ORDER + 1];
  brink__contacts *c = NULL;

  if (!brink__is_slow(rate, own->f, own->flow.n) ||
      brink__contacts_of(x, 0, &c) != BRINK_OK)
    return 0;
  brink__hold hold = {.guard = k, .sign = own->sign[k]};
  hold.level = brink__surface_level(x, k, hold.sign);
  hold.rooted = has_root(x, c, &hold, t, y);
  if (hold.rooted)
    return leads_across_root(x, &hold, t, y, rate);
  return brink__lie_along(&c->lie, k, t, y, 2, e) >= 2 &&
         brink__is_still(x->sim, &x->sim->due, k, fabs(e[2].value), e) &&
         brink__estimate_sign(e[2]) == -own->sign[k];
}

/* Is guard j of side 0 zero where the derivative of guard k along the law is? */
static int is_derivative(brink__extended *x, int j, int k, double t, const double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  brink__estimate e[BRINK__LIE_ORDER + 1], across;
  double r[2][3], *d = c->other;

  if (brink__lie_along(&c->lie, k, t, y, 2, e) < 2 || !x->side[0].on_zero[j])
    return 0;
  for (int i = 0; i < 3; i++) { /* some direction, that of the law, time alone */
    if (i == 0)
      brink__some_direction(c->n, d);
    else if (i == 1 && brink__lie_law(&c->lie, t, y, d) != 0)
      return 0;
    for (size_t m = 0; i == 2 && m < c->n; m++)
      d[m] = 0;
    across.value = 0;
    if (!brink__side_rate(x, 0, j, t, y, d, &r[0][i]) ||
        (i < 2 && !brink__lie_across(&c->lie, k, t, y, 1, d, &across)))
      return 0;
    r[1][i] = across.value;
  }
  /* rates along directions have that of time in them, derivatives across do not */
  r[1][2] = e[2].value - r[1][1];
  r[1][0] += r[1][2];
  r[1][1] += r[1][2];
  double ratio = r[0][0] / r[1][0], size = fabs(r[0][0]) + fabs(r[0][1]);
  for (int i = 0; i < 3; i++)
    if (!(fabs(r[0][i] - ratio * r[1][i]) <= PARALLEL * size))
      return 0;
  return 1;
}

/* Surface and derivative have rates in one ratio: the condition is one, F = sum of the
 * shares times r_i = 0, and there are two weights.  They are taken on the diagonal of
 * the unit square, from the law that leads across most to the one that leads back most:
 * (p, p) or (p, 1 - p).  So the solution can leave only where one of these two stops
 * leading to the surface, as Filippov's does. */
int brink__second_order_weights(double r[][BRINK__SLIDING_SURFACES], int n,
                                double *weight)
{
  weight[0] = r[0][0] / (r[0][0] - r[1][0]);
  if (n == 1)
    return isfinite(weight[0]);
  int turned = fabs(r[2][0] - r[1][0]) > fabs(r[3][0] - r[0][0]);
  double from = turned ? r[2][0] : r[0][0], to = turned ? r[1][0] : r[3][0],
         between = turned ? r[0][0] + r[3][0] : r[1][0] + r[2][0];
  /* from (1 - p)^2 + between p (1 - p) + to p^2 = 0, of whose zeros one is in [0, 1] if
   * from and to have different signs */
  double a = from - between + to, b = between - 2 * from;
  double disc = sqrt(brink__max(b * b - 4 * a * from, 0));
  double w = -0.5 * (b + (b < 0 ? -disc : disc)), root[2] = {w / a, from / w};
  int second = !isfinite(root[0]) ||
               brink__weight_outside(root[1]) < brink__weight_outside(root[0]);
  double p = root[second];
  weight[0] = p;
  weight[1] = turned ? 1 - p : p;
  return isfinite(p);
}

/* stays_second_order() for laws with a root: these are asked on their own sides. */
static int stays_with_root(brink__extended *x, const brink__hold *hold,
                           const double *weight, double t, const double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  double s = difference_span(x->sim), *there = c->f, *zero = c->d, first[2],
         r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES];

  brink__sliding_mix(x, weight, 1, there);
  for (size_t m = 0; m < c->n; m++)
    there[m] = y[m] + s * there[m];
  if (!brink__move_to_level(x, hold->guard, 0, t + s, there, c->gradient, zero) ||
      !brink__sliding_rates(x, &hold, 1, t + s, zero, r))
    return 0;
  for (int i = 0; i < 2; i++)
    if (!brink__side_rate(x, 0, hold->guard, t + s, zero, x->side[i].f, &first[i]))
      return 0;
  return fabs(first[1] - first[0]) <=
             TANGENT_WITH_ROOT * s * (fabs(r[0][0]) + fabs(r[1][0])) &&
         brink__sliding_rates(x, &hold, 1, t, y, r);
}

/* The sides of n surfaces have their laws at (t, y), and that of these weights keeps
 * the second derivative of the guard zero: is the first one zero along all laws on the
 * way? */
static int stays_second_order(brink__extended *x, const brink__hold *hold,
                              const double *weight, int n, double t, const double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  double s = difference_span(x->sim), *there = c->f, r[2], first[2];
  int k = hold->guard;

  if (hold->rooted)
    return n == 1 && stays_with_root(x, hold, weight, t, y);
  int ok = brink__second_rate(x, 0, hold, t, y, &r[0]);
  brink__sliding_mix(x, weight, n, there);
  for (size_t m = 0; m < c->n; m++)
    there[m] = y[m] + s * there[m];
  for (int i = 1; i < 1 << n && ok; i++) {
    ok = brink__side_rhs(x, 0, t + s, there) == 0 &&
         brink__side_rate(x, 0, k, t + s, there, x->side[0].f, &first[0]) &&
         brink__side_rhs(x, i, t + s, there) == 0 &&
         brink__side_rate(x, 0, k, t + s, there, x->side[i].f, &first[1]) &&
         brink__side_rhs(x, i, t, y) == 0 &&
         brink__second_rate(x, i, hold, t, y, &r[1]) &&
         fabs(first[1] - first[0]) <= TANGENT * s * (fabs(r[0]) + fabs(r[1]));
  }
  return brink__side_rhs(x, 0, t, y) == 0 && ok;
}

int brink__switch_direction(brink__extended *x, brink__contacts *c,
                            const brink__hold *hold, double t, const double *y,
                            double *d)
{
  unsigned char *touched = c->touched + (size_t)hold->guard * c->n;
  brink__side *other = &x->side[1];

  if (brink__lie_law(&c->lie, t, y, c->after) != 0 ||
      other->flow.rhs(&other->flow, t, y, d) != 0)
    return 0;
  for (size_t i = 0; i < c->n; i++) {
    d[i] -= c->after[i];
    touched[i] = 0; /* all states may be positions */
  }
  c->known[hold->guard] = 0; /* as the event of the guard it is not read */
  return 1;
}

/* Put y onto the zero of the guard along its gradient, or, if rounding could leave it
 * on the other side, onto its level; and onto the zero of its rate, which is the mean
 * of those on both sides, along the difference of their laws: where the law has a root
 * of the guard, so that the rate has no derivative across it. */
static int project_in_turn(brink__extended *x, const brink__contacts *c,
                           const brink__hold *hold, double t, double *y)
{
  enum { NEWTON = 3 };
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  const double *d = x->across;
  size_t n = own->flow.n;
  double g, size = 0, first[2],
            r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES];

  for (size_t i = 0; i < n; i++)
    size += d[i] * d[i];
  for (int turn = 0; turn < NEWTON; turn++) {
    if (m->ops->guard(m, own->live, own->mode, hold->guard, t, y, &g) != 0)
      return -1;
    for (size_t i = 0; i < n; i++)
      y[i] -= g / size * d[i];
    if (!brink__sliding_rates(x, &hold, 1, t, y, r))
      return -1;
    for (int i = 0; i < 2; i++)
      if (!brink__side_rate(x, 0, hold->guard, t, y, x->side[i].f, &first[i]))
        return -1;
    if (g == 0 && first[0] + first[1] == 0)
      return turn > 0;
    double part = -0.5 * (first[0] + first[1]) / (r[1][0] - r[0][0]);
    if (!isfinite(part))
      return -1;
    for (size_t i = 0; i < n; i++) {
      double before = y[i];
      y[i] += part * (x->side[1].f[i] - own->f[i]);
      if (y[i] != before && fabs(y[i]) <= DBL_EPSILON * c->lie.unit[i])
        y[i] = 0; /* up to rounding */
    }
  }
  return 1;
}

void brink__leave_root(brink__extended *x, const brink__hold *hold, int i, double t,
                       double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  double rate, r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES];

  if (!c || !brink__sliding_rates(x, &hold, 1, t, y, r) ||
      !brink__move_to_level(x, hold->guard, i ? -hold->level : hold->level, t, y,
                            c->gradient, c->base) ||
      !brink__side_rate(x, 0, hold->guard, t, c->base, x->side[i].f, &rate) ||
      !isfinite(rate / (r[1][0] - r[0][0])))
    return;
  for (size_t m = 0; m < c->n; m++)
    y[m] =
        c->base[m] - rate / (r[1][0] - r[0][0]) * (x->side[1].f[m] - x->side[0].f[m]);
}

int brink__second_order_project(brink__extended *x, const brink__hold *hold, double t,
                                double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  brink__hold face = *hold;

  face.degree = hold->order;
  face.inside = hold->sign;
  if (!c || hold->rooted)
    return c ? project_in_turn(x, c, hold, t, y) : -1;
  return brink__contact_project(x, c, &face, 1, t, 1, y);
}

/* ------------------------------------------------------------------ entry --- */

/* Sides of a surface of second order, and perhaps of its derivative. */
static int enters_second_order(brink__extended *x, const brink__surfaces *s, double t,
                               const double *y, double r[][BRINK__SLIDING_SURFACES])
{
  const brink__hold *leads = &s->p.hold[0], *old = brink__was_held(x, leads->guard);
  double weight[BRINK__SLIDING_SURFACES];
  int found;

  if (!brink__second_order_weights(r, s->n, weight) ||
      brink__weight_outside(weight[0]) > 0)
    return 0;
  if (old && old->order > 1)
    return 1;
  if (!stays_second_order(x, leads, weight, s->n, t, y))
    return 0;
  for (int i = 0; i < s->n; i++, leads++) {
    while (leads->surface < i)
      leads++;
    if ((found = brink__leads_back(x, 1 << i, leads, t, y)) <= 0)
      return found;
  }
  return 1;
}

/* The values that the guards have beside their zeros: not 0, and within rounding. */
static const double BESIDE = 0x1p-10;

/* The guards of the surfaces count as zero at y. */
static int guards_beside(brink__extended *x, const brink__surfaces *s, double t,
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
static int beside(brink__extended *x, const brink__surfaces *s, double t, double *out)
{
  size_t n = x->side[0].flow.n, at[2] = {0, 0};
  double *g[2] = {x->f, x->slope}, level[2] = {0, 0}, best = 0, move[2] = {0, 0};
  const brink__hold *hold = s->p.hold;

  for (int i = 0; i < s->n; i++, hold++) {
    while (hold->surface < i)
      hold++;
    level[i] = BESIDE * brink__surface_level(x, hold->guard, hold->sign);
    if (!brink__guard_gradient(x, hold->guard, t, x->sim->y, out, g[i]))
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

/* Has the law a root of the guard that is to be held? */
static void look_for_root(brink__extended *x, brink__hold *hold, double t,
                          const double *y)
{
  const brink__hold *old = brink__was_held(x, hold->guard);
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);

  hold->rooted = old && old->order > 1 ? old->rooted : c && has_root(x, c, hold, t, y);
}

/* Is guard k between two relations of one surface, neither of which holds on the zero?
 */
static int is_between(brink__extended *x, int k, double t, const double *y)
{
  const brink__side *own = &x->side[0];
  double ratio;

  for (int j = 0; j < x->sim->regime->guards.n; j++)
    if (j != k && own->on_zero[j] &&
        brink__same_surface(x, k, 0, j, t, y, own->f, &ratio) &&
        ratio * own->sign[j] * own->sign[k] < 0)
      return 1;
  return 0;
}

int brink__leave_zero(brink__extended *x, brink__due *due)
{
  brink_sim *sim = x->sim;
  const brink__side *own = &x->side[0];
  int n = sim->regime->guards.n;
  brink__contacts *c;
  brink__estimate e[BRINK__LIE_ORDER + 1];

  brink__side_own(x);
  BRINK_TRY(brink__contacts_of(x, 0, &c));
  if (sim->sliding == BRINK__SLIDING_CHATTER ||
      brink__side_rhs(x, 0, sim->t, sim->y) != 0)
    return 0;
  for (int k = 0; k < n; k++) {
    if (!brink__may_be_slid_along(x, k) || !brink__side_acts(x, 0, k) ||
        !is_between(x, k, sim->t, sim->y) ||
        brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e) < 2)
      continue;
    int first = brink__estimate_sign(e[1]);
    int dir = first ? first : brink__estimate_sign(e[2]);
    if (dir * own->sign[k] >= 0)
      continue;
    brink__fill_bytes(due->hit, 0, (size_t)n);
    brink__signs(sim, due->after);
    due->hit[k] = due->after[k] = (signed char)dir;
    return 1;
  }
  return 0;
}

int brink__second_order_at(brink__extended *x, int k, int dir, brink__surfaces *s,
                           double *y)
{
  brink_sim *sim = x->sim;
  double t = sim->t, r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES],
         weight[BRINK__SLIDING_SURFACES];

  *s = (brink__surfaces){.p = {.law = brink__sliding_law_of(sim)}};
  if (!brink__surface_add(x, s, k, dir, 2, t, sim->y, x->side[0].f))
    return 0;
  BRINK_TRY(brink__contact_prepare(x, 0, x->side[0].mode));
  for (int j = 0; j < sim->regime->guards.n && s->n == 1; j++)
    if (brink__may_be_slid_along(x, j) && !brink__in_surfaces(s, j) &&
        brink__side_acts(x, 0, j) && is_derivative(x, j, k, t, sim->y) &&
        !brink__surface_add(x, s, j, -x->side[0].sign[j], 1, t, sim->y, x->side[0].f))
      return 0;
  brink__surface_levels(x, s);
  look_for_root(x, &s->p.hold[0], t, sim->y);
  int found = beside(x, s, t, y) ? brink__make_sides(x, s, t, y, r) : 0;
  if (found > 0 && s->n == 2 &&
      brink__same_law(x, 0, 2, 1)) { /* no switch of the law */
    brink__surface_keep(s, 0);
    found = brink__make_sides(x, s, t, y, r);
  }
  if (found > 0)
    found = enters_second_order(x, s, t, y, r);
  if (found <= 0 || !brink__sliding_weights(r, s->n, 2, s->p.hold, weight))
    return found < 0 ? found : 0;
  brink__copy(y, sim->y, x->side[0].flow.n);
  if (brink__second_order_project(x, &s->p.hold[0], t, y) < 0)
    return 0;
  brink__sliding_share(x, weight, s->n);
  return 1;
}

int brink__propose_second_order(brink__extended *x, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  double *y = brink__work_row(sim, 0);
  brink__surfaces s = {0};
  int dir, k = brink__surface_next(x, &s, 2, sim->t, sim->y, x->side[0].f, &dir);
  int found = k < 0 ? 0 : brink__second_order_at(x, k, dir, &s, y);

  if (found <= 0)
    return found;
  brink__copy(sim->y, y, x->side[0].flow.n);
  *out = s.p;
  return 1;
}
