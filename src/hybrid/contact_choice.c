/* contact_choice.c -- which faces are held: contacts at rest, reflecting bounds.
 *
 * Candidates are guards on their zero with an event that acts there, whose derivatives
 * below the degree of the face vanish.  Of those the linear complementarity problem of
 * contact.h tells which are held (lambda > 0) and which are left (a > 0).  Nothing is
 * held where no law leads out; an ordinary bounce costs one evaluation of f to see
 * that.
 */
#include "hybrid/contact.h"
#include "hybrid/filippov.h"

#include "linear/lcp.h"

#include <string.h>

/* ----------------------------------------------------------- candidates ---- */

/* A body that lifts off has no speed and no acceleration yet, but for rounding.  What
 * only shows that it is off, a Boolean, at the same time, does not put it down again.
 */
static int was_left(const brink__extended *x, int k)
{
  const brink__hold *hold = brink__face_before(x, k);
  const brink__held *h = x->lifted;

  if (hold)
    return (x->left >> hold->surface) & 1;
  return h && x->t_lifted == x->sim->t && h->base == x->sim->mode &&
         h->held_by[k] >= 0 && (x->lifted_left >> h->hold[h->held_by[k]].surface) & 1;
}

void brink__contact_keep(brink__extended *x)
{
  const brink__held *h = x->before;

  x->n_faces = 0;
  for (int i = 0; h && i < h->n; i++)
    if (brink__face_before(x, h->hold[i].guard) && !was_left(x, h->hold[i].guard))
      x->face[x->n_faces++] = h->hold[i];
}

/* Would an event act if guard k went from the sign sigma to the other?  Guards that are
 * on their zeros as well (the speed in `x <= 0 and v < 0`) may have either sign:
 * `other`, 0: the one that they have. */
static int acts_with(brink__extended *x, const brink__contacts *c, int k, int sigma,
                     int other)
{
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  size_t n = (size_t)m->ops->mode_info(m, own->live, own->mode)->n_guards;
  signed char *before = c->signs, *after = before + n;

  for (size_t j = 0; j < n; j++)
    before[j] = after[j] =
        (signed char)(other && own->on_zero[j] ? other : own->sign[j]);
  before[k] = (signed char)sigma;
  after[k] = (signed char)-sigma;
  return m->ops->triggers(m, own->live, own->mode, before, after) == BRINK__ACTS;
}

/* A Boolean that says whether the bodies touch, and is true, becomes false first. */
int brink__contact_acts(brink__extended *x, const brink__contacts *c, int k, int sigma)
{
  return acts_with(x, c, k, sigma, 0) || acts_with(x, c, k, sigma, -1) ||
         acts_with(x, c, k, sigma, 1) ||
         (x->side[0].sign[k] == -sigma && acts_with(x, c, k, -sigma, 0));
}

/* The sign of a relation that rests on its zero: `x < 0` does not hold there, so that
 * an event which puts x beyond is one that makes it true. */
static int sign_at_rest(const brink__guard *info, int sign)
{
  return info->at_zero && !info->coupled ? info->at_zero : sign;
}

/* The sign of guard k while it is held as a face whose inside is sigma. */
static int sign_held(const brink__extended *x, int k, int sigma)
{
  const brink__guard *info = &x->sim->regime->guards.info[k];
  int sign = x->side[0].sign[k];

  return info->held && sign ? sign_at_rest(info, sign) : sigma;
}

/* More faces at once than a regime can hold. */
BRINK__COLD static brink_status too_many(brink_sim *sim)
{
  return brink__fail_at(&sim->err, BRINK_EITERATION, sim->t,
                        "at t = %.15g more than %d contacts or bounds are met at once: "
                        "no more can be held; divide the model, or let some of them "
                        "yield",
                        sim->t, BRINK__MOST_HELD);
}

static int add(brink__extended *x, brink__proposal *p, int k, int sigma, int degree)
{
  if (p->n == BRINK__MOST_HELD)
    return too_many(x->sim);
  p->hold[p->n] = (brink__hold){.guard = k,
                                .surface = p->n,
                                .sign = sign_held(x, k, sigma),
                                .inside = sigma,
                                .degree = degree};
  p->n_surfaces = ++p->n;
  return 1;
}

/* Does the law of a side lead beyond the face? */
static int leads_beyond(brink__extended *x, int k, int sigma, int degree)
{
  const brink_sim *sim = x->sim;
  brink__estimate e[BRINK__LIE_ORDER + 1];
  brink__contacts *c = NULL;

  for (int i = 0; i < x->n_shares; i++)
    if (brink__contacts_of(x, i, &c) == BRINK_OK &&
        brink__lie_along(&c->lie, k, sim->t, sim->y, degree, e) >= degree &&
        sigma * e[degree].value < -e[degree].bound)
      return 1;
  return 0;
}

/* Guard k as a face: 1: it was added; *leads_out: the law leads beyond it; negative: an
 * error. */
static int candidate(brink__extended *x, brink__contacts *c, const brink__due *due,
                     int k, double acceleration, brink__proposal *p, int *leads_out)
{
  brink_sim *sim = x->sim;
  brink__estimate e[BRINK__LIE_ORDER + 1] = {{0, 0}};
  int known = brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e);

  if (known < 1)
    return 0;
  /* pushes at other bounds may turn a speed, contacts elsewhere do not */
  int degree = known == 2 && brink__is_still(sim, due, k, acceleration, e) ? 2 : 1,
      inside = 0;
  for (int sigma = -1; sigma <= 1; sigma += 2) {
    if (!brink__contact_acts(x, c, k, sigma))
      continue;
    int beyond = leads_beyond(x, k, sigma, degree);
    *leads_out |= beyond;
    if (!inside || beyond) /* where both directions act */
      inside = sigma;
  }
  return inside ? add(x, p, k, inside, degree) : 0;
}

static int is_slid_along(const brink__proposal *slides, int k)
{
  for (int i = 0; i < slides->n; i++)
    if (slides->hold[i].guard == k)
      return 1;
  return 0;
}

/* All faces at sim->y.  1: the law leads beyond one of them; negative: an error. */
static int collect(brink__extended *x, brink__contacts *c, const brink__due *due,
                   const brink__proposal *slides, brink__proposal *p)
{
  const brink__guards *g = &x->sim->regime->guards;
  double acceleration = brink__largest_acceleration(x, c);
  int leads_out = 0;

  for (int k = 0; k < g->n; k++)
    if (!was_left(x, k) && !is_slid_along(slides, k) &&
        brink__contact_touches(x->sim, k))
      BRINK_TRY(candidate(x, c, due, k, acceleration, p, &leads_out));
  return leads_out;
}

/* Has the event of the face a reading?  Where a guard rests on its zero by the law
 * alone, it may be one of degree 1. */
static int readable_from(brink__extended *x, brink__contacts *c, brink__hold *hold)
{
  const brink_sim *sim = x->sim;

  for (; hold->degree > 0; hold->degree--)
    if (brink__read_reset(x, c, hold, sim->t, sim->y, 1, c->d))
      return 1;
  return 0;
}

/* The same; where both directions act, as of a Boolean that says whether the bodies
 * touch, only one of them may be an impact. */
static int readable(brink__extended *x, brink__contacts *c, brink__hold *hold)
{
  brink__hold other = *hold;

  other.inside = -hold->inside;
  other.sign = sign_held(x, other.guard, other.inside);
  if (readable_from(x, c, hold))
    return 1;
  if (!brink__contact_acts(x, c, other.guard, other.inside) ||
      !readable_from(x, c, &other))
    return 0;
  *hold = other;
  return 1;
}

/* Is the face the speed of a contact, `v < 0` in `x <= 0 and v < 0`?  It is no face of
 * its own. */
static int is_speed(const brink__contacts *c, const brink__proposal *p, int i)
{
  const unsigned char *own = c->touched + (size_t)p->hold[i].guard * c->n;

  for (int j = 0; p->hold[i].degree == 1 && j < p->n; j++)
    if (p->hold[j].degree == 2 &&
        memcmp(own, c->touched + (size_t)p->hold[j].guard * c->n, c->n) == 0)
      return 1;
  return 0;
}

/* Without those whose event has no reading. */
static void keep_readable(brink__extended *x, brink__contacts *c, brink__proposal *p)
{
  int n = 0, kept = 0;

  for (int i = 0; i < p->n; i++)
    if (readable(x, c, &p->hold[i]))
      p->hold[n++] = p->hold[i];
  p->n = n;
  for (int i = 0; i < n; i++)
    if (!is_speed(c, p, i)) {
      p->hold[kept] = p->hold[i];
      p->hold[kept].surface = kept;
      kept++;
    }
  p->n = p->n_surfaces = kept;
}

/* ------------------------------------------------------------- decision ---- */

/* A and b of the law of all sides into c: the mixture of those of the sides. */
static int mixed_matrix(brink__extended *x, brink__contacts *c,
                        const brink__proposal *p)
{
  const brink_sim *sim = x->sim;
  brink__contacts *other;
  int n = p->n;

  for (int i = 0; i < x->n_shares; i++) {
    BRINK_TRY(brink__contacts_of(x, i, &other));
    if (!brink__has_faces(x, i, p->hold, n) ||
        !brink__contact_matrix(x, other, p->hold, n, sim->t, sim->y))
      return 0;
    double w = x->share[i];
    for (int j = 0; j < n * n; j++)
      c->a[j] = (i ? c->a[j] : 0) + w * other->a[j];
    for (int j = 0; j < n; j++)
      c->b[j] = (i ? c->b[j] : 0) + w * other->b[j];
  }
  return 1;
}

/* Those of the faces that are held.  0: the problem has no solution that was found. */
static int decide(brink__extended *x, brink__contacts *c, brink__proposal *p)
{
  size_t m = (size_t)p->n;
  int n = 0, found = mixed_matrix(x, c, p);

  if (found <= 0)
    return found;
  int solved =
      brink__lcp_solve(m, c->a, c->b, c->lambda, c->away, c->lcp) == BRINK__LCP_SOLVED;
  brink__contact_remark(x, c, p, solved);
  if (!solved)
    return 0;
  for (int i = 0; i < p->n; i++)
    if (c->lambda[i] > 0) {
      p->hold[n] = p->hold[i];
      p->hold[n].surface = n;
      n++;
    }
  p->n = p->n_surfaces = n;
  return 1;
}

/* ------------------------------------------------------------- proposal ---- */

int brink__contact_propose(brink__extended *x, const brink__due *due,
                           const brink__proposal *slides, brink__proposal *out)
{
  brink_sim *sim = x->sim;
  brink__proposal p = {.law = &brink__contact_law};
  brink__contacts *c = NULL;

  for (int i = x->n_shares - 1; i >= 0; i--)
    BRINK_TRY(brink__contacts_of(x, i, &c));
  int leads_out = collect(x, c, due, slides, &p);
  if (leads_out <= 0)
    return leads_out;
  BRINK_TRY(brink__reading_prepare(x));
  keep_readable(x, c, &p);
  if (p.n == 0 && slides->n == 0)
    brink__unread_remark(x, due);
  int found = p.n ? decide(x, c, &p) : 0;
  if (found <= 0 || p.n == 0)
    return found < 0 ? found : 0;
  double *y = brink__work_row(sim, 0);
  brink__copy(y, sim->y, c->n);
  if (brink__contact_project(x, c, p.hold, p.n, sim->t, 1, y) < 0)
    return 0;
  brink__copy(sim->y, y, c->n);
  *out = p;
  return 1;
}
