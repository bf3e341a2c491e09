/* filippov.c -- where does a solution slide?
 *
 * A guard on its zero whose event the present law leads into is tried: its own event,
 * on a copy of the live object, gives the law of the other side (surfaces.c).  If that
 * leads back, into an event that gives the first law again, the solution slides along
 * the guard; if it leads on, the guard is crossed, and its event happens as always.
 * Where two such surfaces meet, corner.c decides.
 */
#include "hybrid/surfaces.h"

#include <math.h>
#include <string.h>

/* Guard k is met where two are held already.  If it is a switch of the law there is no
 * law for all three, and that is the verdict; 0: it is none, and its event comes first.
 */
BRINK__COLD static int too_many(brink__extended *x, const brink__surfaces *s, int k)
{
  brink_sim *sim = x->sim;
  const brink__guard *info = sim->regime->guards.info;
  const char *name[BRINK__SLIDING_SURFACES] = {"", ""};

  BRINK_TRY(brink__side_copy(x, BRINK__TRIAL_SIDE, 0));
  if (brink__side_rhs(x, BRINK__TRIAL_SIDE, sim->t, sim->y) != 0)
    return 0;
  int is_switch = brink__switch_across(x, k, sim->t, sim->y, BRINK__TRIAL_SIDE);
  if (is_switch <= 0 || brink__side_rhs(x, BRINK__TRIAL_SIDE, sim->t, sim->y) != 0 ||
      brink__same_law(x, BRINK__TRIAL_SIDE, 0, 0))
    return is_switch < 0 ? is_switch : 0;
  for (int i = s->p.n - 1; i >= 0; i--)
    name[s->p.hold[i].surface] = info[s->p.hold[i].guard].name;
  return (int)brink__fail_at(
      &sim->err, BRINK_EITERATION, sim->t,
      "at t = %.15g the solution comes to slide along three switches at once: '%.80s', "
      "'%.80s', '%.80s'; there is no law for more than two: give one of them a "
      "hysteresis or make it smooth",
      sim->t, name[0], name[1], info[k].name);
}

/* Is the law of side BRINK__TRIAL_SIDE neither that of side 0 nor that of side i, nor
 * their mean?
 */
static int is_off_mean(const brink__extended *x, int i)
{
  const double *f = x->side[BRINK__TRIAL_SIDE].f, *f0 = x->side[0].f,
               *f1 = x->side[i].f;
  int off = 0;

  for (size_t m = 0; m < x->side[0].flow.n; m++)
    off |= fabs(f[m] - 0.5 * (f0[m] + f1[m])) >
           BRINK__SAME_LAW * (fabs(f[m]) + fabs(f0[m]) + fabs(f1[m]));
  return off && !brink__same_law(x, BRINK__TRIAL_SIDE, 0, i) &&
         !brink__same_law(x, BRINK__TRIAL_SIDE, i, 0);
}

/* A sign() has two guards on one surface, and is 0 between their events: after that of
 * the relation which holds on side 0.  If the law there is not the mean of those of the
 * sides, the sign enters it in more than proportion, and an unknown between -1 and 1 in
 * its place would give another law than Filippov's: that is remarked.  1, or an error.
 */
static int remark_not_affine(brink__extended *x, const brink__surfaces *s, int surface,
                             double t, const double *y)
{
  brink_sim *sim = x->sim;
  const brink__guard *info = sim->regime->guards.info;
  const brink__hold *hold = brink__leader(s->p.hold, surface);
  int at = (int)(hold - s->p.hold);

  if (at + 1 >= s->p.n || hold[1].surface != surface ||
      strcmp(info[hold[0].guard].name, info[hold[1].guard].name) != 0)
    return 1;
  for (int i = 0; i < 2; i++) {
    BRINK_TRY(brink__side_copy(x, BRINK__TRIAL_SIDE, 0));
    brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
    x->hit[hold[i].guard] = (signed char)s->target[at + i];
    int found = brink__side_event(x, BRINK__TRIAL_SIDE, t, y, x->hit);
    if (found < 0)
      return found;
    if (found && brink__side_rhs(x, BRINK__TRIAL_SIDE, t, y) == 0 &&
        is_off_mean(x, 1 << surface))
      brink__remark(sim, BRINK__REMARK_NOT_AFFINE,
                    "from t = %.15g on the solution slides along '%.80s', which does "
                    "not enter the law in proportion: the mixture of the laws of both "
                    "sides is followed (Filippov); an unknown between -1 and 1 in its "
                    "place would give another law",
                    t, info[hold[i].guard].name);
  }
  return 1;
}

/* Two surfaces are slid along at once.  If what each of them changes adds up, all
 * convex combinations of the four laws that keep both at zero are one law; otherwise,
 * as with the product of two relays, they are not, and the selection is remarked: the
 * bilinear one, which is the law with an unknown in place of each relay.  1, or an
 * error. */
static int remark_two(brink__extended *x, const brink__surfaces *s, double t,
                      const double *y)
{
  const brink__guard *info = x->sim->regime->guards.info;
  int first = s->p.hold[0].guard, second = brink__leader(s->p.hold, 1)->guard;

  if (brink__was_held(x, second))
    return 1;
  if (!brink__adds_up(x))
    brink__remark(x->sim, BRINK__REMARK_PRODUCT,
                  "from t = %.15g on the solution slides along '%.60s' and '%.60s', "
                  "whose effects do not add up, as in a product of both: of the "
                  "mixtures of the laws (Filippov) that is followed in which each of "
                  "them is an unknown of its own",
                  t, info[first].name, info[second].name);
  return remark_not_affine(x, s, 1, t, y);
}

/* A law with a root of the guard in it was asked beside the zero, by rounding: do both
 * lead across the zero itself?  Then it is crossed, by a rate below that root. */
static int leads_on_at_zero(brink__extended *x, const brink__surfaces *s, double t,
                            const double *y)
{
  int k = s->p.hold[0].guard;
  double *d = brink__work_row(x->sim, 0), *zero = brink__work_row(x->sim, 1), r[2];

  int known = brink__move_to_level(x, k, 0, t, y, d, zero);
  for (int i = 0; i < 2 && known; i++)
    known = brink__side_rhs(x, i, t, zero) == 0 &&
            brink__side_rate(x, 0, k, t, zero, x->side[i].f, &r[i]);
  return known && r[0] * r[1] > 0;
}

/* Sides of one surface that is new: it must lead back. */
static int enters(brink__extended *x, const brink__surfaces *s, double t,
                  const double *y, double r[][BRINK__SLIDING_SURFACES])
{
  if (!brink__attracts(s, 0, 0, r))
    return 0;
  const brink__hold *leads = &s->p.hold[0];
  if (brink__was_held(x, leads->guard) || leads->band > 0)
    return 1; /* that was asked before */
  if ((x->side[0].edge || x->side[1].edge) &&
      (leads_on_at_zero(x, s, t, y) || !brink__sliding_rates(x, &leads, 1, t, y, r)))
    return 0;
  int back = brink__leads_back(x, 1, leads, t, y);
  return back > 0 ? remark_not_affine(x, s, 0, t, y) : back;
}

/* Another surface is met: with it, which are held?  1: s says, and the sides are made;
 * 0: none; or an error. */
static int decide(brink__extended *x, brink__surfaces *s, double t, const double *y,
                  double r[][BRINK__SLIDING_SURFACES])
{
  int n = s->n, found = brink__make_sides(x, s, t, y, r);

  if (found > 0)
    found = n == 1 ? enters(x, s, t, y, r) : brink__choose_of_two(x, s, r);
  if (found > 0 && s->p.crosses)
    return 1;
  if (found > 0 && s->n < n) /* the sides are others */
    found = brink__make_sides(x, s, t, y, r);
  return found > 0 && s->n == 2 ? remark_two(x, s, t, y) : found;
}

/* The law has these weights of n surfaces. */
void brink__sliding_share(brink__extended *x, const double *weight, int n)
{
  x->n_shares = 1 << n;
  for (int i = 0; i < x->n_shares; i++)
    x->share[i] = brink__side_share(weight, n, i);
}

/* The next surface that f leads to: 1: it is added; 2: and has a hysteresis; 0: there
 * is none, and those of s are held; or an error. */
static int next_surface(brink__extended *x, brink__surfaces *s, double t,
                        const double *y, const double *f)
{
  int dir, k = brink__surface_next(x, s, 1, t, y, f, &dir);

  if (k < 0) {
    int found = brink__hysteresis_add(x, s, t, y, f);
    return found > 0 ? 2 : found;
  }
  if (s->n == BRINK__SLIDING_SURFACES) {
    s->n = 0;
    return too_many(x, s, k);
  }
  if (brink__surface_add(x, s, k, dir, 1, t, y, x->side[0].f))
    return 1;
  s->n = 0; /* an event comes first */
  return 0;
}

/* Surfaces that are held together, from the first on: as brink__sliding_propose. */
static int propose_surfaces(brink__extended *x, brink__surfaces *s)
{
  brink_sim *sim = x->sim;
  double t = sim->t, weight[BRINK__SLIDING_SURFACES],
         r[1 << BRINK__SLIDING_SURFACES][BRINK__SLIDING_SURFACES] = {{0}};
  const double *y = sim->y, *f = x->side[0].f;
  int met = 0, kind = 0, found = 1;

  while (s->n == met) {
    brink__surfaces before = *s;
    if ((found = kind = next_surface(x, s, t, y, f)) <= 0)
      break;
    brink__surface_levels(x, s);
    met++;
    found = decide(x, s, t, y, r);
    if (found == 0 && kind == 2) { /* its events are real */
      *s = before;
      found = s->n ? brink__make_sides(x, s, t, y, r) : 0;
      break;
    }
    if (found == 0 && met == 1) {
      found = brink__decide_corner(x, s, t, y, r);
      if (found > 0 && s->n == 1 && !s->p.crosses &&
          (found = brink__make_sides(x, s, t, y, r)) > 0)
        found = enters(x, s, t, y, r);
      met = s->n;
    }
    if (found <= 0 || s->p.crosses)
      return found;
    if (!brink__sliding_weights(r, s->n, 1, s->p.hold, weight))
      return 0;
    brink__sliding_mix(x, weight, s->n, x->slope);
    f = x->slope;
    brink__sliding_share(x, weight, s->n);
  }
  if (found == 0 && s->n == 0)
    return brink__spiral_add(x, s, r);
  if (found < 0)
    return found;
  brink_status rc = brink__hysteresis_settle(x, s, r);
  return rc < 0 ? (int)rc : 1;
}

/* Is the law of side 0 zero at y? */
static int vanishes(brink__extended *x, const double *y)
{
  if (brink__side_rhs(x, 0, x->sim->t, y) != 0)
    return 0;
  for (size_t m = 0; m < x->side[0].flow.n; m++)
    if (x->side[0].f[m] != 0)
      return 0;
  return 1;
}

/* Guards are zero up to rounding, and where they are zero the law of side 0 vanishes,
 * as one with roots does that ends in finite time: the solution rests there, and is put
 * there. */
static int comes_to_rest(brink__extended *x)
{
  brink_sim *sim = x->sim;
  const brink__side *own = &x->side[0];
  size_t n = own->flow.n;
  double *y = brink__work_row(sim, 0), *d = brink__work_row(sim, 1),
         *from = brink__work_row(sim, 3);
  int any = 0;

  if (sim->regime->info->unilateral > 0)
    return 0; /* on its zero such an event would be due */
  brink__copy(y, sim->y, n);
  for (int k = 0; k < sim->regime->guards.n; k++) {
    if (own->g[k] == 0 || fabs(own->g[k]) > brink__guard_resolution(sim, k))
      continue;
    brink__copy(from, y, n);
    if (!brink__move_to_level(x, k, 0, sim->t, from, d, y))
      return 0;
    any = 1;
  }
  if (!any || vanishes(x, sim->y) || !vanishes(x, y))
    return 0;
  brink__copy(sim->y, y, n);
  return 1;
}

int brink__sliding_propose(brink__extended *x, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  brink__surfaces s = {.p = {.law = brink__sliding_law_of(sim)}};

  brink__side_own(x);
  for (int i = 0; i < sim->regime->guards.n; i++) {
    const brink__hold *old = brink__was_held(x, i);
    x->side[0].on_zero[i] |= old ? !(old->band > 0) : brink__is_zero(sim, i);
  }
  brink__sliding_share(x, NULL, 0);
  if (sim->sliding == BRINK__SLIDING_CHATTER || comes_to_rest(x) ||
      (brink__side_rhs(x, 0, sim->t, sim->y) != 0 && !brink__put_inside(x)))
    return 0;
  if (s.p.law == &brink__sliding_law) {
    int found = brink__propose_second_order(x, out);
    if (found)
      return found;
  }
  int found = propose_surfaces(x, &s);
  if (found > 0)
    *out = s.p;
  return found;
}

/* The side of guard k on which it was, or from which it has just crossed its zero. */
static int stands(const brink__watch *w)
{
  return w->sign ? w->sign : (w->crossed > 0) - (w->crossed < 0);
}

/* Would it be an event that acts if guard k, which stands at `sign`, crossed its zero,
 * alone or with all others that are on theirs?
 */
static int acts(brink_sim *sim, int k, int sign)
{
  brink__regime *r = sim->regime;
  signed char *before = sim->signs, *after = before + sim->model->max_guards;

  brink__signs(sim, before);
  before[k] = (signed char)sign;
  brink__copy_bytes(after, before, (size_t)r->guards.n);
  after[k] = (signed char)-sign;
  if (r->over(r, before, after) == BRINK__ACTS)
    return 1;
  int others = 0;
  for (int j = 0; j < r->guards.n; j++) {
    int s = stands(&r->guards.watch[j]);
    if (j == k || !s || !brink__is_zero(sim, j))
      continue;
    before[j] = (signed char)s;
    after[j] = (signed char)-s;
    others++;
  }
  return others && r->over(r, before, after) == BRINK__ACTS;
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
  int turns = !begins && brink__spiral_possible(sim);
  for (int k = 0; k < g->n; k++) {
    int sign = stands(&g->watch[k]);
    if (!sign || !brink__is_zero(sim, k) || !acts(sim, k, sign))
      continue;
    if (!known && r->flow.rhs(&r->flow, sim->t, sim->y, f) != 0)
      return 1; /* a law that ends at the guard */
    known = 1;
    if (brink__guard_rate(g, k, sim->t, sim->y, f, brink__rate_span(sim), &rate) &&
        (rate * sign < 0 || brink__is_slow(rate, f, g->n_states)))
      return 1;
  }
  if (begins)
    return 0;
  return brink__hysteresis_possible(sim) || turns;
}
