/* contact_impacts.c -- bodies that touch, and are hit or close on each other.
 *
 * Where a body at rest is hit by another one, its own event is due although its guard
 * does not cross: Newton's cradle.  The events are carried out one by one, in the order
 * of the model, until no speed of approach is left.  Where they lose energy that takes
 * rows of hundreds of them, whose speeds die out like a geometric sequence; so the
 * limit on instants at one time is one for each time that the speed has halved.
 */
#include "hybrid/contact.h"

#include "linear/lcp.h"

#include <float.h>

/* Is the row of impacts at this time under way? */
static int in_row(const brink__impact_row *row, const brink_sim *sim)
{
  return row->t == sim->t && row->not_counted <= sim->number;
}

/* Has guard k, which is on its zero, a speed of approach that its event would end? What
 * impacts leave of the largest speed that went into their row is rounding in the end,
 * also where no acceleration makes a flight brief, or t = 0 tells any two times apart.
 */
static int is_hit(brink__extended *x, brink__contacts *c, const brink__due *due, int k,
                  int sigma, double acceleration, double *speed)
{
  const brink_sim *sim = x->sim;
  brink__hold hold = {.guard = k, .inside = sigma, .degree = 2};
  brink__estimate e[BRINK__LIE_ORDER + 1];

  if (!brink__contact_acts(x, c, k, sigma) ||
      brink__lie_along(&c->lie, k, sim->t, sim->y, 2, e) < 2 ||
      brink__is_brief(sim, due, acceleration, e) || sigma * e[1].value >= 0)
    return 0;
  *speed = fabs(e[1].value);
  if (in_row(&x->row, sim) && *speed <= DBL_EPSILON * x->row.most)
    return 0;
  return brink__read_reset(x, c, &hold, sim->t, sim->y, 1, c->d);
}

/* An impact with this speed of approach follows; round: the guards begin anew with it.
 * It does not count beside the others of its round, nor do rounds before the largest
 * speed of one has halved. */
static void note_speed(brink__extended *x, double speed, int round)
{
  const brink_sim *sim = x->sim;
  brink__impact_row *row = &x->row;

  if (!in_row(row, sim)) {
    row->t = sim->t;
    row->most = 0;
    row->least = HUGE_VAL;
    row->largest = 0;
    row->not_counted = 0;
  }
  if (!round)
    row->not_counted++;
  else if (row->largest <= 0.5 * row->least) {
    row->least = row->largest;
    row->not_counted = sim->number;
  }
  row->largest = round ? speed : brink__max(row->largest, speed);
  row->most = brink__max(row->most, speed);
}

int brink__instants_counted(const brink_sim *sim)
{
  const brink__extended *x = sim->extended;

  return sim->number - (x && in_row(&x->row, sim) ? x->row.not_counted : 0);
}

/* The event of guard k is due.  If the model must have seen the bodies apart before,
 * that comes first, in an instant of its own. */
static void impact(brink__extended *x, const brink__contacts *c, int k, int sigma,
                   brink__due *due)
{
  int first = x->row.seen_off != k + 1 && brink__reading_from_off(c, k);

  brink__fill_bytes(due->hit, 0, (size_t)x->sim->regime->guards.n);
  brink__signs(x->sim, due->after);
  due->hit[k] = due->after[k] = (signed char)(first ? sigma : -sigma);
  x->row.seen_off = first ? k + 1 : 0;
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
  double acceleration = brink__largest_acceleration(x, c), speed;
  int first = x->row.seen_off ? x->row.seen_off - 1 : x->row.last;
  for (int i = 0; i < g->n; i++) {
    int k = (first + i) % g->n;
    for (int sigma = -1; sigma <= 1; sigma += 2)
      if (brink__contact_touches(sim, k) &&
          is_hit(x, c, due, k, sigma, acceleration, &speed)) {
        if (begins && g->info[k].held) {
          remark_start(sim, k);
          continue;
        }
        note_speed(x, speed, first + i >= g->n);
        impact(x, c, k, sigma, due);
        x->row.last = k + 1;
        return 1;
      }
  }
  x->row.seen_off = x->row.last = 0;
  return 0;
}

/* All contacts of bodies that touch at sim->y, whatever their speeds. */
static void all_contacts(brink__extended *x, brink__contacts *c, brink__proposal *p)
{
  const brink__guards *g = &x->sim->regime->guards;

  for (int k = 0; k < g->n && p->n < BRINK__MOST_HELD; k++)
    for (int sigma = -1; sigma <= 1; sigma += 2) {
      brink__hold hold = {.guard = k, .inside = sigma, .degree = 2};
      if (brink__contact_touches(x->sim, k) && brink__contact_acts(x, c, k, sigma) &&
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
