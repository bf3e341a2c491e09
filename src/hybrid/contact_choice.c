/* contact_choice.c -- which faces are held: contacts at rest, reflecting bounds.
 *
 * Candidates are guards on their zero with an event that acts there, whose derivatives
 * below the degree of the face vanish.  Of those the linear complementarity problem of
 * contact.h tells which are held (lambda > 0) and which are left (a > 0).  Nothing is
 * held where no law leads out; an ordinary bounce costs one evaluation of f to see
 * that.
 *
 * A speed counts as 0 if the flight that it begins would be over before time could
 * tell: 2 |L_f g| / |L_f^2 g| below the rounding of t, or below what the time of the
 * event is uncertain by; or if it would end before g could be told from 0, at a height
 * (L_f g)^2 / (2 |L_f^2 g|) that is rounding.
 */
#include "hybrid/contact.h"
#include "hybrid/filippov.h"

#include "linear/lcp.h"

#include <float.h>
#include <string.h>

/* ----------------------------------------------------------- candidates ---- */

/* How guard k was held before these instants; NULL: it was not. */
static const brink__hold *was_held(const brink__extended *x, int k)
{
  const brink__held *h = x->before;

  if (!h || h->base != x->sim->mode || h->held_by[k] < 0)
    return NULL;
  const brink__hold *hold = &h->hold[h->held_by[k]];
  return hold->degree ? hold : NULL;
}

static int was_left(const brink__extended *x, int k)
{
  const brink__hold *hold = was_held(x, k);

  return hold && (x->left >> hold->surface) & 1;
}

void brink__contact_keep(brink__extended *x)
{
  const brink__held *h = x->before;

  x->n_faces = 0;
  for (int i = 0; h && i < h->n; i++)
    if (was_held(x, h->hold[i].guard) && !was_left(x, h->hold[i].guard))
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
static int acts(brink__extended *x, const brink__contacts *c, int k, int sigma)
{
  return acts_with(x, c, k, sigma, 0) || acts_with(x, c, k, sigma, -1) ||
         acts_with(x, c, k, sigma, 1) ||
         (x->side[0].sign[k] == -sigma && acts_with(x, c, k, -sigma, 0));
}

/* What the time of the event is uncertain by; a locator of one guess says nothing that
 * could be counted on. */
static double uncertain(const brink_sim *sim, const brink__due *due)
{
  return sim->locator->rough ? 0 : due->width;
}

/* The time that cannot be told from 0 here. */
static double no_time(const brink_sim *sim, const brink__due *due)
{
  return brink__max(brink__time_slack(sim->t), uncertain(sim, due));
}

/* A state is uncertain by so many roundings of its size; on the constraints of a system
 * of higher index, where a projection has put it, of the largest. */
static const double LOW = 0x1p-36, ROUNDED = 16 * DBL_EPSILON,
                    PROJECTED = 128 * DBL_EPSILON;

static double largest_state(const brink_sim *sim)
{
  double size = 1;

  for (size_t i = 0; i < sim->regime->info->n; i++)
    size = brink__max(size, fabs(sim->y[i]));
  return size;
}

/* What rounding of the states does to guard k. */
static double rounding_of(brink_sim *sim, int k)
{
  brink__guards *g = &sim->regime->guards;
  const brink__watch *w = &g->watch[k];
  double *noise = brink__work_row(sim, 3), delta;
  brink_err ignored;

  if (sim->regime->flow.project)
    return brink__min(brink__max(w->band, fabs(w->g)), PROJECTED * largest_state(sim));
  for (size_t i = 0; i < g->n_states; i++)
    noise[i] = ROUNDED * fabs(sim->y[i]);
  brink_status rc =
      brink__guard_rounding(g, k, sim->t, sim->y, noise, BRINK__FAR, &delta, &ignored);
  return rc < 0 ? 0 : delta;
}

/* A face that was held may be off its zero by what a projection, and the polynomial of
 * the step up to an event, leave; its speed too. */
static const double WAS_ON_BOUND = 0x1p-40;

/* Was guard k held up to these instants, and has it not been moved by them? */
static int still_held(const brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];

  return sim->extended && was_held(sim->extended, k) &&
         fabs(w->g) <= WAS_ON_BOUND * brink__max(1, w->scale);
}

/* Where faces or guards were held, the state at an event has been put back onto them,
 * by the error of the polynomial: so much of its size. */
static double put_back(const brink_sim *sim)
{
  return sim->extended && sim->extended->before ? sim->opt.rtol : 0;
}

/* Is guard k beyond its zero, where its event has brought it or another one at the same
 * time?  From there it may not come back far enough for its event to happen again. */
static int is_beyond(brink_sim *sim, int k)
{
  const brink__regime *r = sim->regime;
  const brink__watch *w = &r->guards.watch[k];
  size_t ng = (size_t)r->guards.n;
  signed char *before = sim->signs, *after = before + ng;

  brink__signs(sim, before);
  brink__copy_bytes(after, before, ng);
  before[k] = (signed char)-w->sign;
  return r->over(r, before, after) == BRINK__ACTS;
}

/* Is rounding no reason to take guard k for one that rests?  A locator of one guess
 * knows no better; and policies other than `continue` want to see the bounces, and
 * where they end.  A body that begins on its surface, or has rested there, has not
 * bounced. */
static int shows_bounces(const brink_sim *sim, int k)
{
  const brink__extended *x = sim->extended;

  return sim->locator->rough ||
         (sim->opt.zeno != BRINK_ZENO_CONTINUE &&
          sim->regime->guards.watch[k].crossed && !(x && was_held(x, k)));
}

/* Do the bodies of guard k touch, up to rounding of the states?  Where several events
 * follow each other, the time of the first was found for that of its own guard; a guard
 * that was hit at this time has been found on its zero, as far as the locator can tell
 * the order of zeros. */
static int touches(brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];

  if (brink__on_zero(w) || shows_bounces(sim, k))
    return brink__on_zero(w);
  double size = largest_state(sim);
  if (w->crossed && sim->t == sim->t_instant &&
      fabs(w->g) <= brink__max(LOW, put_back(sim)) * size)
    return 1;
  return fabs(w->g) <= LOW * size &&
         (still_held(sim, k) || fabs(w->g) <= rounding_of(sim, k) || is_beyond(sim, k));
}

/* A flight must be so many times as high as the band that its guard begins in, or as
 * rounding of the states, for the locator to see it outside: it reads a polynomial,
 * whose coefficients add roundings of their own. */
static const double SEEN = 4;

/* A flight from guard k that is lower than this does not leave its zero: it stays
 * within rounding, or in the band that the guard begins in, perhaps beyond the zero. */
static double not_zero(brink_sim *sim, int k)
{
  const brink__watch *w = &sim->regime->guards.watch[k];

  if (shows_bounces(sim, k) || !touches(sim, k))
    return 0;
  return SEEN * brink__max(rounding_of(sim, k), brink__watch_band(w) + fabs(w->g));
}

/* Is a flight with this speed and acceleration lower? */
static int is_low(brink_sim *sim, int k, double speed, double acceleration)
{
  const brink__watch *w = &sim->regime->guards.watch[k];
  double most = brink__max(LOW * largest_state(sim), fabs(w->g));

  if (speed * speed > 2 * acceleration * most)
    return 0; /* most flights are higher than any rounding */
  return speed * speed <= 2 * acceleration * not_zero(sim, k);
}

/* Is a flight with these derivatives over before time could tell?  bend: the largest
 * second derivative of the faces here.  (Its own may be 0, of two balls in free fall,
 * and that of the law which holds one of them is not.) */
static int is_brief(const brink_sim *sim, const brink__due *due, double bend,
                    const brink__estimate *e)
{
  double speed = fabs(e[1].value);

  return speed <= e[1].bound || 2 * speed <= no_time(sim, due) * bend;
}

int brink__is_still(brink_sim *sim, const brink__due *due, int k, double bend,
                    const brink__estimate *e)
{
  double left = still_held(sim, k) ? WAS_ON_BOUND / DBL_EPSILON * e[1].bound : 0;

  return fabs(e[1].value) <= left || is_brief(sim, due, bend, e) ||
         is_low(sim, k, e[1].value, bend);
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
                     int k, double bend, brink__proposal *p, int *leads_out)
{
  brink_sim *sim = x->sim;
  brink__estimate e[BRINK__LIE_ORDER + 1] = {{0, 0}};
  int known = brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e);

  if (known < 1)
    return 0;
  /* pushes at other bounds may turn a speed, contacts elsewhere do not */
  int degree = known == 2 && brink__is_still(sim, due, k, bend, e) ? 2 : 1, inside = 0;
  for (int sigma = -1; sigma <= 1; sigma += 2) {
    if (!acts(x, c, k, sigma))
      continue;
    int beyond = leads_beyond(x, k, sigma, degree);
    *leads_out |= beyond;
    if (!inside || beyond) /* where both directions act */
      inside = sigma;
  }
  return inside ? add(x, p, k, inside, degree) : 0;
}

/* An event on one bound puts a state that is on another bound off it, by rounding of
 * the size of the states. */
static const double ON_BOUND = 16 * DBL_EPSILON;

static int is_near(const brink__extended *x, const brink__contacts *c,
                   const brink__guards *g, int k)
{
  const brink__guard *info = &g->info[k];
  const brink__watch *w = &g->watch[k];
  double size = info->form == BRINK__GUARD_STATE
                    ? c->lie.unit[info->state]
                    : brink__max(w->scale, was_held(x, k) ? 1 : 0);

  return touches(x->sim, k) ||
         fabs(w->g) <= (was_held(x, k) ? WAS_ON_BOUND : ON_BOUND) * size;
}

/* The largest second derivative of the guards that are near their zeros. */
static double largest_bend(brink__extended *x, brink__contacts *c)
{
  const brink_sim *sim = x->sim;
  const brink__guards *g = &sim->regime->guards;
  brink__estimate e[BRINK__LIE_ORDER + 1];
  double bend = 0;

  for (int k = 0; k < g->n; k++)
    if (is_near(x, c, g, k) && brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e) >= 2)
      bend = brink__max(bend, fabs(e[2].value));
  return bend;
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
  double bend = largest_bend(x, c);
  int leads_out = 0;

  for (int k = 0; k < g->n; k++)
    if (!was_left(x, k) && !is_slid_along(slides, k) && is_near(x, c, g, k))
      BRINK_TRY(candidate(x, c, due, k, bend, p, &leads_out));
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
  if (!acts(x, c, other.guard, other.inside) || !readable_from(x, c, &other))
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

/* -------------------------------------------------------------- impacts ---- */

/* Has guard k, which is on its zero, a speed of approach that its event would end?  Its
 * relation is as the event leaves it, since the bodies were in contact before another
 * one hit them; or the model has just seen them apart, as it must. */
static int is_hit(brink__extended *x, brink__contacts *c, const brink__due *due, int k,
                  int sigma, double bend)
{
  const brink_sim *sim = x->sim;
  brink__hold hold = {.guard = k, .inside = sigma, .degree = 2};
  brink__estimate e[BRINK__LIE_ORDER + 1];

  int as_left = x->side[0].sign[k] == -sigma || x->seen_off == k + 1 ||
                !sim->regime->guards.info[k].held;
  if (!as_left || !acts(x, c, k, sigma) ||
      brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e) < 2 ||
      is_brief(sim, due, bend, e) || sigma * e[1].value >= 0)
    return 0;
  return brink__read_reset(x, c, &hold, sim->t, sim->y, 1, c->d);
}

/* The event of guard k is due.  If the model must have seen the bodies apart before,
 * that comes first, in an instant of its own. */
static void impact(brink__extended *x, const brink__contacts *c, int k, int sigma,
                   brink__due *due)
{
  int first = x->seen_off != k + 1 && brink__reading_from_off(c, k);

  brink__fill_bytes(due->hit, 0, (size_t)x->sim->regime->guards.n);
  brink__signs(x->sim, due->after);
  due->hit[k] = due->after[k] = (signed char)(first ? sigma : -sigma);
  x->seen_off = first ? k + 1 : 0;
}

/* The condition of guard k holds where the run begins, so that it cannot become true.
 */
BRINK__COLD static void remark_start(brink_sim *sim, int k)
{
  brink__remark(sim, BRINK__REMARK_START,
                "at the start the state is on '%.100s' and moves beyond it: the "
                "condition holds already, so its event does not happen; start before "
                "it, or with a speed that leads away",
                sim->regime->guards.info[k].name);
}

/* Guards in the order of the model, again and again: from the one after that of the
 * last impact at this time on. */
int brink__contact_impacts(brink__extended *x, brink__due *due, int begins)
{
  brink_sim *sim = x->sim;
  const brink__guards *g = &sim->regime->guards;
  brink__contacts *c = NULL;

  brink__side_own(x);
  BRINK_TRY(brink__contacts_of(x, 0, &c));
  double bend = largest_bend(x, c);
  int first = x->seen_off ? x->seen_off - 1 : x->impact;
  for (int i = 0; i < g->n; i++) {
    int k = (first + i) % g->n;
    for (int sigma = -1; sigma <= 1; sigma += 2)
      if (touches(sim, k) && is_hit(x, c, due, k, sigma, bend)) {
        if (begins && g->info[k].held) {
          remark_start(sim, k);
          continue;
        }
        impact(x, c, k, sigma, due);
        x->impact = k + 1;
        return 1;
      }
  }
  x->seen_off = x->impact = 0;
  return 0;
}

/* All contacts of bodies that touch at sim->y, whatever their speeds. */
static void all_contacts(brink__extended *x, brink__contacts *c, brink__proposal *p)
{
  const brink__guards *g = &x->sim->regime->guards;

  for (int k = 0; k < g->n && p->n < BRINK__MOST_HELD; k++)
    for (int sigma = -1; sigma <= 1; sigma += 2) {
      brink__hold hold = {.guard = k, .inside = sigma, .degree = 2};
      if (touches(x->sim, k) && acts(x, c, k, sigma) &&
          brink__read_reset(x, c, &hold, x->sim->t, x->sim->y, 1, c->d)) {
        p->hold[p->n++] = hold;
        break;
      }
    }
}

int brink__contact_closes(brink__extended *x, brink__proposal *p)
{
  const brink_sim *sim = x->sim;
  brink__contacts *c = NULL;

  *p = (brink__proposal){0};
  brink__side_own(x);
  if (brink__contacts_of(x, 0, &c) < 0 || brink__reading_prepare(x) < 0)
    return 0;
  all_contacts(x, c, p);
  if (p->n < 2 || !brink__contact_matrix(x, c, p->hold, p->n, sim->t, sim->y))
    return 0;
  for (int i = 0; i < p->n; i++) {
    double speed;
    if (!brink__contact_derivative(c, p->hold[i].guard, 1, sim->t, sim->y, &speed))
      return 0;
    c->b[i] = p->hold[i].inside * speed;
  }
  return brink__lcp_solve((size_t)p->n, c->a, c->b, c->lambda, c->away, c->lcp) !=
         BRINK__LCP_SOLVED;
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

/* ------------------------------------------------------------ is it possible? ---- */

/* A speed that is rounding beside the derivatives of the states; what they do in the
 * time that the event is uncertain by counts as well. */
static const double SLOW = 0x1p-40;

/* Guard k is on its zero; f: the law from here on; anew: it is another one than before,
 * or the run begins.  After a bounce it moves away, and after most other events on, as
 * before; then there is nothing to hold.  Where the run begins with a relation that
 * holds already, no event stops a body that moves on beyond, which is worth a word. */
static int may_stay(brink_sim *sim, const brink__due *due, int k, int anew, int begins,
                    const double *f)
{
  brink__guards *g = &sim->regime->guards;
  double span = sim->h_last > 0 ? sim->h_last : brink__max(1, fabs(sim->t)) * 0x1p-10,
         rate, size = 0;

  for (size_t i = 0; i < g->n_states; i++)
    size = brink__max(size, fabs(f[i]));
  if (!brink__guard_rate(g, k, sim->t, sim->y, f, span, &rate))
    return 0;
  if (fabs(rate) <= brink__max(SLOW, uncertain(sim, due)) * size ||
      is_low(sim, k, rate, size))
    return 1;
  if (begins && g->info[k].held && g->watch[k].sign * rate > 0)
    return 1;
  /* its own event, or one that came after it at the same time, has not turned it */
  return !anew && g->watch[k].crossed * rate > 0;
}

/* Policies other than `continue` want to see the bounces, and where they end: then a
 * body comes to rest by a plastic impact only, and not by one that had hardly any speed
 * left. */
static const double SOME_SPEED = 0x1p-20;

static int came_slowly(brink_sim *sim, const brink__due *due, int k)
{
  brink__guards *g = &sim->regime->guards;
  const brink_flow *flow = &sim->regime->flow;
  double *f = brink__work_row(sim, 1), size = 0, rate;

  if (sim->opt.zeno == BRINK_ZENO_CONTINUE ||
      (sim->opt.zeno == BRINK_ZENO_STEP && sim->accumulation.passing))
    return 0;
  if (flow->rhs(flow, sim->t, due->y, f) != 0 ||
      !brink__guard_rate(g, k, sim->t, due->y, f, brink__max(sim->h_last, 0x1p-20),
                         &rate))
    return 1;
  for (size_t i = 0; i < g->n_states; i++)
    size = brink__max(size, fabs(f[i]));
  return fabs(rate) <= SOME_SPEED * size;
}

/* Has the last event led to another mode? */
static int mode_changed(const brink_sim *sim)
{
  const brink__occurrence *last = brink__history_last(&sim->history, 0);

  return last && last->mode_before != last->mode_after;
}

/* What impacts and reflections change: states, and perhaps outputs. */
enum { RESETS = BRINK_SE_S | BRINK_SE_O };

int brink__contact_possible(brink_sim *sim, const brink__due *due, unsigned classes,
                            int begins)
{
  const brink__guards *g = &sim->regime->guards;
  const brink_flow *flow = &sim->regime->flow;
  double *f = brink__work_row(sim, 0);
  /* what has changed where a known time has joined the event may be its doing */
  int known = 0, timed = !begins && due->timed,
      switches = classes & ~(unsigned)RESETS && !timed, anew = begins || switches;

  /* an event that changes the mode, or no state, is no impact; but where events
   * accumulate, what they change in the state tends to nothing */
  if (switches && (!(classes & BRINK_SE_S) || mode_changed(sim)) &&
      !sim->accumulation.passing)
    return 0;
  for (int k = 0; k < g->n; k++) {
    /* a jump of callbacks that has changed no state is none that resets one; a text
     * puts a state onto the bound where it is already, and what happens at a known time
     * says nothing about the jump of a guard that is on its zero since before; at the
     * limit of impacts there is no speed left to be changed */
    int resets = begins || timed || (classes & BRINK_SE_S) || g->info[k].held ||
                 sim->accumulation.passing;
    if (!resets || !touches(sim, k))
      continue;
    if (!begins && came_slowly(sim, due, k))
      continue;
    if (!anew && !g->watch[k].crossed)
      return 1;
    if (!known && flow->rhs(flow, sim->t, sim->y, f) != 0)
      return 0;
    known = 1;
    if (may_stay(sim, due, k, anew, begins, f))
      return 1;
  }
  return 0;
}
