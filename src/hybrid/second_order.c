/* second_order.c -- sliding along a switch that acts on the second derivative of its
 * guard.
 *
 * A relay that pushes a mass by the sign of its place, x'' = -a sgn(x) - b sgn(x'),
 * switches ever faster and comes to x = x' = 0 after finite time; so does a rocking
 * block.  At that point dg/dt is 0 along both laws, and the second derivatives lead
 * across and back.  The solution goes on as Filippov's convex combination that keeps g
 * and dg/dt at 0 [Filippov88, 4]:
 *
 *   f_s = (1 - alpha) f_0 + alpha f_1,   alpha = r_0/(r_0 - r_1),   r_i = L_{f_i}
 * L_{f_0} g,
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
#include "hybrid/filippov.h"

/* dg/dt along the difference of the laws counts as 0 where it changes the second
 * derivative by less than this part. */
static const double TANGENT = 1e-6;

/* That is looked at over this part of the time in which guards change much, or of t
 * where events follow each other so closely that differences over such a time are
 * rounding. */
static const double PART = 0x1p-10, PART_OF_T = 0x1p-20;

/* Rates of two guards in one ratio, up to this, belong to one surface; derivatives of
 * callbacks are differences, known to about half of the digits. */
static const double PARALLEL = 1e-6;

int brink__leads_across_later(brink__extended *x, int k, double t, const double *y,
                              double rate)
{
  const brink__side *own = &x->side[0];
  brink__estimate e[BRINK__LIE_ORDER + 1];
  brink__contacts *c = NULL;

  return brink__is_slow(rate, own->f, own->flow.n) &&
         brink__contacts_of(x, 0, &c) == BRINK_OK &&
         brink__lie_along(&c->lie, k, t, y, 2, e) >= 2 &&
         brink__is_still(x->sim, &x->sim->due, k, fabs(e[2].value), e) &&
         brink__estimate_sign(e[2]) == -own->sign[k];
}

int brink__second_rate(brink__extended *x, int i, int k, double t, const double *y,
                       double *rate)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  brink__estimate e[BRINK__LIE_ORDER + 1], across;

  if (!c || brink__lie_along(&c->lie, k, t, y, 2, e) < 2 ||
      brink__lie_law(&c->lie, t, y, c->other) != 0)
    return 0;
  for (size_t m = 0; m < c->n; m++)
    c->other[m] = x->side[i].f[m] - c->other[m];
  if (!brink__lie_across(&c->lie, k, t, y, 1, c->other, &across))
    return 0;
  *rate = e[2].value + across.value;
  return 1;
}

int brink__is_derivative(brink__extended *x, int j, int k, double t, const double *y)
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

int brink__stays_second_order(brink__extended *x, int k, const double *weight, int n,
                              double t, const double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  double s = brink__max(PART * brink__rate_span(x->sim), PART_OF_T * fabs(t)),
         *there = c->probe, r[2], first[2];
  int ok = brink__second_rate(x, 0, k, t, y, &r[0]);

  brink__sliding_mix(x, weight, n, there);
  for (size_t m = 0; m < c->n; m++)
    there[m] = y[m] + s * there[m];
  for (int i = 1; i < 1 << n && ok; i++) {
    ok = brink__side_rhs(x, 0, t + s, there) == 0 &&
         brink__side_rate(x, 0, k, t + s, there, x->side[0].f, &first[0]) &&
         brink__side_rhs(x, i, t + s, there) == 0 &&
         brink__side_rate(x, 0, k, t + s, there, x->side[i].f, &first[1]) &&
         brink__side_rhs(x, i, t, y) == 0 && brink__second_rate(x, i, k, t, y, &r[1]) &&
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

int brink__second_order_project(brink__extended *x, const brink__hold *hold, double t,
                                double *y)
{
  brink__contacts *c = brink__contacts_find(x, 0, x->side[0].mode);
  brink__hold face = *hold;

  face.degree = hold->order;
  face.inside = hold->sign;
  return c ? brink__contact_project(x, c, &face, 1, t, 1, y) : -1;
}
