/* tangency.c -- where a run begins on a guard, or is reset onto one: which way do the
 * laws of both sides lead?
 *
 * The first Lie derivative of the guard that does not vanish tells, on each side:
 *
 *   away from it on both ... the solution is not unique (a repelling surface; of order
 *                            2 two visible folds)
 *   to it on both .......... sliding, if both are of order 1 (filippov.c); else the
 *                            laws touch the guard and come back (invisible folds)
 *   to it on one ........... a crossing, in one direction or the other
 *
 * The first and, of higher order, the second are worth a warning; the run goes on with
 * the live object that it has.  Events that change the mode are not looked at, nor
 * those that change more than the law.
 */
#include "hybrid/contact.h"

#include <stdio.h>

/* How a law leads at a guard on its zero. */
typedef struct course {
  int order; /* of the first derivative that does not vanish; 0: all known do       */
  double value; /* of that */
  int away; /* 1: away from the guard, into the side of the law; -1: to it         */
} course;

enum { OWN, OTHER }; /* sides */

/* Guard k along the law of a side, on which it has this sign.  0: it has no value. */
static int follow(brink__extended *x, int side, int k, int sign, course *out)
{
  brink_sim *sim = x->sim;
  brink__live *live = x->side[side].live;
  brink__estimate e[BRINK__LIE_ORDER + 1];
  brink__block block;
  brink__lie lie;

  size_t need = brink__need(0, 1, brink__lie_size(x->inner, live, sim->mode));
  if (brink__block_new(sim->ctx, need, &block) < 0)
    return 0;
  void *memory = brink__carve(&block, 1, brink__lie_size(x->inner, live, sim->mode));
  brink__lie_init(&lie, memory, x->inner, live, sim->mode);
  int known = brink__lie_along(&lie, k, sim->t, sim->y, BRINK__LIE_ORDER, e);
  brink__block_drop(&block);
  *out = (course){0};
  for (int j = 1; j <= known && !out->order; j++)
    if (brink__estimate_sign(e[j]))
      *out = (course){j, e[j].value, sign * brink__estimate_sign(e[j])};
  return known >= 1;
}

static void describe(const course *c, char *text, size_t size)
{
  static const char *const name[] = {"", "dg/dt", "d2g/dt2", "d3g/dt3"};

  if (c->order == 0)
    snprintf(text, size, "no derivative of g");
  else
    snprintf(text, size, "%s = %.6g%s", name[c->order], c->value,
             c->order != 2 ? ""
             : c->away > 0 ? ", a visible fold"
                           : ", an invisible fold");
}

static void remark(brink_sim *sim, int k, const course *own, const course *other)
{
  const char *guard = sim->regime->guards.info[k].name;
  double t = brink__shown(sim, sim->t);
  char a[60], b[60];

  describe(own, a, sizeof a);
  describe(other, b, sizeof b);
  if (own->away >= 0 && other->away > 0)
    brink__remark(sim, BRINK__REMARK_REPELLED,
                  "at t = %.15g the solution is not unique: it is on the zero of "
                  "'%.100s', which the law behind it leads away from (%s), and the "
                  "present one does not lead to it (%s); the run keeps the present "
                  "law; start beside the zero to choose",
                  t, guard, b, a);
  if (own->away < 0 && other->away < 0 && own->order + other->order > 2)
    brink__remark(sim, BRINK__REMARK_TANGENT,
                  "at t = %.15g the solution is on the zero of '%.100s', which the "
                  "laws of both sides touch and come back to (%s with the present "
                  "one, %s behind it): events may follow each other closely there",
                  t, guard, a, b);
}

/* Guard k is on its zero: which way do the laws of both sides lead? */
static void classify(brink__extended *x, int k)
{
  brink_sim *sim = x->sim;
  int sign = x->side[OWN].sign[k];
  course own, other;

  if (!sign || !brink__side_acts(x, OWN, k) || brink__side_copy(x, OTHER, OWN) < 0)
    return;
  brink__fill_bytes(x->hit, 0, (size_t)x->inner->max_guards);
  x->hit[k] = (signed char)-sign;
  if (brink__side_event(x, OTHER, sim->t, sim->y, x->hit) > 0 &&
      x->side[OTHER].mode == sim->mode && x->side[OTHER].sign[k] == -sign &&
      follow(x, OWN, k, sign, &own) && follow(x, OTHER, k, -sign, &other))
    remark(sim, k, &own, &other);
}

BRINK__COLD static void classify_all(brink_sim *sim, int begins)
{
  const brink_model *model = sim->model;
  const brink__guards *g = &sim->regime->guards;
  brink__extended *x;

  if (brink__extend(sim, &x) < 0)
    return;
  brink__side_own(x);
  for (int k = 0; k < g->n; k++)
    if (brink__on_zero(&g->watch[k]) && (begins || !g->watch[k].crossed))
      classify(x, k);
  sim->model = model; /* nothing is held */
}

void brink__switch_remark(brink_sim *sim, unsigned classes, int begins)
{
  const brink__guards *g = &sim->regime->guards;
  const brink__extended *x = sim->extended;

  if (!(begins || (classes & BRINK_SE_S)) || sim->backward || sim->ended ||
      (x && (x->active || x->before)))
    return;
  for (int k = 0; k < g->n; k++)
    if (brink__on_zero(&g->watch[k]) && (begins || !g->watch[k].crossed)) {
      classify_all(sim, begins);
      return;
    }
}
