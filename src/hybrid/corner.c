/* corner.c -- where two switches meet: which of them is slid along?
 *
 * There are four laws.  A solution that can leave the corner does, into a region or
 * along one surface; it slides along both where none can.
 */
#include "hybrid/surfaces.h"

/* The side of surface s on which the live object of the simulation is. */
static int own_sign(const brink__surfaces *s, int surface)
{
  return brink__leader(s->p.hold, surface)->sign;
}

/* The sign of surface s on side i. */
static int sign_on(const brink__surfaces *s, int surface, int i)
{
  return (i >> surface) & 1 ? -own_sign(s, surface) : own_sign(s, surface);
}

int brink__attracts(const brink__surfaces *s, int surface, int i,
                    double r[][BRINK__SLIDING_SURFACES])
{
  int across_it = i | 1 << surface, sign = own_sign(s, surface);

  i &= ~(1 << surface);
  return sign * r[i][surface] < 0 && sign * r[across_it][surface] > 0;
}

/* Is a solution possible that goes on into side i, of two surfaces? */
static int leaves_into(const brink__surfaces *s, int i,
                       double r[][BRINK__SLIDING_SURFACES])
{
  return sign_on(s, 0, i) * r[i][0] > 0 && sign_on(s, 1, i) * r[i][1] > 0;
}

/* Is one possible that slides along `surface` alone, on the side of the other surface
 * on which side i is? */
static int slides_along(const brink__surfaces *s, int surface, int i,
                        double r[][BRINK__SLIDING_SURFACES])
{
  int other = 1 - surface, a = i & ~(1 << surface), b = a | 1 << surface;

  if (!brink__attracts(s, surface, i, r))
    return 0;
  double w = r[a][surface] / (r[a][surface] - r[b][surface]);
  return sign_on(s, other, i) * ((1 - w) * r[a][other] + w * r[b][other]) > 0;
}

/* In how many ways can a solution leave the corner of two surfaces: into a region, or
 * along one of them? */
static int count_exits(const brink__surfaces *s, double r[][BRINK__SLIDING_SURFACES])
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
static int inside(const brink__surfaces *s, double r[][BRINK__SLIDING_SURFACES])
{
  double weight[2];

  return brink__sliding_weights(r, 2, 1, s->p.hold, weight) &&
         brink__weight_outside(weight[0]) + brink__weight_outside(weight[1]) == 0;
}

/* Several solutions go on from the corner of two surfaces that were not held before. */
static void remark_not_unique(brink__extended *x, const brink__surfaces *s,
                              double r[][BRINK__SLIDING_SURFACES])
{
  const brink__guard *info = x->sim->regime->guards.info;
  int exits = count_exits(s, r), k = s->p.hold[0].guard,
      l = brink__leader(s->p.hold, 1)->guard;

  if (exits + inside(s, r) < 2 || (brink__was_held(x, k) && brink__was_held(x, l)))
    return;
  brink__remark(x->sim, BRINK__REMARK_EXITS,
                "at t = %.15g the solution is not unique: where '%.60s' and '%.60s' "
                "meet, it can be left in %d %s%s; the run follows one of these "
                "solutions",
                brink__shown(x->sim, x->sim->t), info[k].name, info[l].name, exits,
                exits > 1 ? "ways" : "way", inside(s, r) ? " or be slid along" : "");
}

/* The events lead to side i, from where a solution leaves the corner.  0: those of a
 * hysteresis are not here. */
static int cross_to(brink__surfaces *s, int i)
{
  if (s->line[0].f || s->line[1].f)
    return 0;
  if (i < 3)
    brink__surface_keep(s, i >> 1);
  s->p.crosses = 1;
  return 1;
}

/* Solutions leave the corner on other sides only: go to the first of these. */
static int cross_to_exit(brink__surfaces *s, double r[][BRINK__SLIDING_SURFACES])
{
  for (int i = 1; i < 4; i++)
    if (leaves_into(s, i, r))
      return cross_to(s, i);
  for (int surface = 0; surface < 2; surface++)
    if (slides_along(s, surface, 2 >> surface, r))
      return cross_to(s, 2 >> surface);
  return 0;
}

/* Does the law of side i lead across both surfaces? */
static int leads_across_both(const brink__surfaces *s, int i,
                             double r[][BRINK__SLIDING_SURFACES])
{
  return sign_on(s, 0, i) * r[i][0] < 0 && sign_on(s, 1, i) * r[i][1] < 0;
}

int brink__choose_of_two(brink__extended *x, brink__surfaces *s,
                         double r[][BRINK__SLIDING_SURFACES])
{
  remark_not_unique(x, s, r);
  if (leaves_into(s, 0, r))
    return 0;
  for (int surface = 0; surface < 2; surface++)
    if (slides_along(s, surface, 0, r)) {
      brink__surface_keep(s, surface);
      return 1;
    }
  if (count_exits(s, r) == 0)
    return inside(s, r);
  for (int surface = 0; surface < 2; surface++) /* it slides on, across the other one */
    if (brink__attracts(s, surface, 0, r) &&
        slides_along(s, surface, 2 >> surface, r)) {
      brink__surface_keep(s, surface);
      return 1;
    }
  return cross_to_exit(s, r);
}

/* The law leads across the first surface, and the one behind leads on.  Where another
 * surface meets it, solutions may turn round the corner in ever shorter times: both
 * are held if none can leave it, whichever way the present law leads.  Solutions that
 * can leave it into a region get there by their events, one after the other; but where
 * the present law leads across both at once, and the one behind them back, these would
 * take turns. */
int brink__decide_corner(brink__extended *x, brink__surfaces *s, double t,
                         const double *y, double r[][BRINK__SLIDING_SURFACES])
{
  const brink__side *own = &x->side[0];

  for (int k = 0; s->n == 1 && k < x->sim->regime->guards.n; k++)
    if (!brink__in_surfaces(s, k) && brink__may_be_slid_along(x, k) &&
        brink__side_acts(x, 0, k) &&
        !brink__surface_add(x, s, k, -own->sign[k], 1, t, y, own->f))
      return 0;
  if (s->n < BRINK__SLIDING_SURFACES)
    return 0;
  brink__surface_levels(x, s);
  int found = brink__make_sides(x, s, t, y, r);
  if (found <= 0)
    return found;
  for (int i = 0; i < 4; i++)
    if (leaves_into(s, i, r)) {
      remark_not_unique(x, s, r);
      return leads_across_both(s, 0, r) && leads_across_both(s, 3, r) &&
             cross_to_exit(s, r);
    }
  return brink__choose_of_two(x, s, r);
}
