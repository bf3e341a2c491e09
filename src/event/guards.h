/* event/guards.h -- the guards of one mode: at a point, along a step, ahead of one.
 *
 * A guard along a step becomes a polynomial on [0, 1]: exactly for a state, by
 * samples at Chebyshev points until they have converged for a callback.  Zero has
 * a width: every polynomial carries a rounding bound, and so does every value at a
 * restart (see watch.h, which has what is remembered of a guard between steps).
 *
 *   guards.c ..... memory, values
 *   expand.c ..... polynomials along a step
 *   rounding.c ... what values are uncertain by
 *   rate.c ....... how fast they move along f
 *   extra_state.c  their prediction as states of their own
 *   ahead.c ...... which guards need not be looked at ahead of a step
 */
#ifndef BRINK_GUARDS_H
#define BRINK_GUARDS_H

#include <math.h>

#include "brink/step.h"
#include "event/watch.h"
#include "model/model.h"
#include "poly/poly.h"

enum {
  BRINK__NODES = 8,     /* intervals of the first Chebyshev grid         */
  BRINK__SHARED = 16,   /* of the finest whose states all guards share   */
  BRINK__MAX_NODES = 64 /* of the finest                                 */
};

/* Difference quotients step this many roundings away, half of the digits: far enough to
 * see a slope through the rounding of g, near enough for it to be the slope. */
static const double BRINK__FAR = 0x1p24;

/* A guard's polynomial along the last step, if it is short; degree -1: it is not. */
typedef struct brink__kept {
  brink__poly_form form;
  int degree;
  double delta;
  double c[BRINK__NODES + 1];
} brink__kept;

typedef struct brink__guards {
  const brink_model *model;
  brink__live *live;
  int mode;
  int n;              /* number of guards                                         */
  size_t n_states;    /* of the mode                                               */
  brink__guard *info; /* [n] of the model, with the levels of this simulation      */
  long evals;

  /* -- memory between steps -- */
  brink__watch *watch; /* [n]                                                      */
  int any_refused;     /* one of them is refused ...                               */
  int any_displaced;   /* ... or displaced, ...                                    */
  int any_returned;    /* ... or has crossed twice without time moving on          */
  brink__kept *kept;   /* [n] of the last step, written if locate.keep asks ...    */
  double kept_h;       /* ... and its length; 0: worth nothing                     */

  /* -- scratch -- */
  double *y;     /* [n states]                                                   */
  double *noise; /* [n states] what they are uncertain by, ...                   */
  double *y0;    /* [n states] ... and at the start ...                          */
  const brink_step *noise_step; /* ... of this step                                 */
  double *y_in; /* [n states] inside ...                                        */
  const brink_step *inside_step; /* ... this one                                    */
  double *row;     /* [max(MAX_NODES, degree) + 1] coefficients of one guard       */
  double *node_y;  /* [SHARED + 1][n states] states on that grid ...               */
  double *samples; /* [MAX_NODES + 1]                                              */
  double *nodes;   /* [MAX_NODES + 1] the finest grid                              */
  const brink_step *node_step; /* ... of this step, as far as ...                   */
  int node_m;                  /* ... the grid of so many intervals                 */
} brink__guards;

/* ----------------------------------------------------------- guards.c ---- */

size_t brink__guards_size(const brink__mode *mode, int max_degree);
void brink__guards_init(brink__guards *g, void *memory, const brink_model *model,
                        brink__live *live, int mode, int max_degree);

/* The levels that the simulation has now. */
void brink__guards_levels(brink__guards *g);

/* What another simulation knows of the same guards. */
void brink__guards_copy(brink__guards *to, const brink__guards *from);

/* A new step: forget cached states. */
static inline void brink__guards_step(brink__guards *g)
{
  g->node_step = g->noise_step = g->inside_step = NULL;
}

/* Value of guard k at (t, y), or at theta of a step.  BRINK_OK, or an error with
 * the guard's name (NaN, "stop"). */
brink_status brink__guard_ask(brink__guards *g, int k, double t, const double *y,
                              double *value, brink_err *err);
static inline brink_status brink__guard_value(brink__guards *g, int k, double t,
                                              const double *y, double *value,
                                              brink_err *err)
{
  const brink__guard *info = &g->info[k];

  if (info->form == BRINK__GUARD_STATE && isfinite(y[info->state])) {
    g->evals++;
    *value = y[info->state] - info->level;
    return BRINK_OK;
  }
  return brink__guard_ask(g, k, t, y, value, err);
}
brink_status brink__guard_at(brink__guards *g, int k, const brink_step *step,
                             double theta, double *value, brink_err *err);

/* Shrink [*lo, *hi], across which guard k has its old sign (or 0) at lo and sign
 * `after` at hi, to width tol (0: the last bit), by values of the guard itself. */
brink_status brink__guard_refine(brink__guards *g, int k, const brink_step *step,
                                 int after, double tol, double *lo, double *hi,
                                 brink_err *err);

/* ----------------------------------------------------------- expand.c ---- */

/* The guard along the step; *p borrows g->row.  The certificate says how well the
 * polynomial is known: PROVED, CONVERGED, or SAMPLED (then *p is not to be
 * trusted and g->samples holds values on the finest grid). */
brink_status brink__guard_expand(brink__guards *g, int k, const brink_step *step,
                                 brink__poly *p, brink_certificate *certificate,
                                 brink_err *err);

/* The same along a predicted step, of which no more is known than `loose` of the
 * guard's size: a coarse grid will often do. */
brink_status brink__guard_foresee(brink__guards *g, int k, const brink_step *step,
                                  double loose, brink__poly *p,
                                  brink_certificate *certificate, brink_err *err);

/* Guard k composed with the polynomials of a step that reaches where its zero may be:
 * for equations g = c, so that its course is wanted and not only its sign.  *p borrows
 * g->row.  0: it has no value somewhere in the step, or its series does not converge.
 */
int brink__guard_compose(brink__guards *g, int k, const brink_step *step, double loose,
                         brink__poly *p);

/* A zero was found, or a sign that contradicts the watch: is it more than the
 * rounding of the states?  Raises p->delta to that; 1 if that made a difference. */
brink_status brink__guard_recheck(brink__guards *g, int k, const brink_step *step,
                                  brink__poly *p, int *raised, brink_err *err);

/* Node j of the Chebyshev grid with m intervals, in [0, 1]. */
static inline double brink__guard_node(const brink__guards *g, int j, int m)
{
  return g->nodes[j * (BRINK__MAX_NODES / m)];
}

/* --------------------------------------------------------- rounding.c ---- */

/* How uncertain is guard k at (t, y) if state i is uncertain by noise[i]?  A callback
 * is asked `far` times as far away: BRINK__FAR for rounding, 1 for noise that can be
 * seen. */
brink_status brink__guard_rounding(brink__guards *g, int k, double t, const double *y,
                                   const double *noise, double far, double *delta,
                                   brink_err *err);

/* The same along a step, by the rounding of its polynomials: at its start, and inside
 * it where the model can tell. */
brink_status brink__guard_noise(brink__guards *g, int k, const brink_step *step,
                                double *delta, brink_err *err);

/* Guard k starts or restarts at (t, y): arm its watch. */
brink_status brink__guard_arm(brink__guards *g, int k, double t, const double *y,
                              const double *noise, double far, brink_err *err);

/* ------------------------------------------------------------- rate.c ---- */

/* dg/dt of guard k along f, the right-hand side at (t, y): its Lie derivative.  span: a
 * time in which the guard changes much; where the model cannot tell, differences step a
 * part of it to both sides.  0: the guard has no value there. */
int brink__guard_rate(brink__guards *g, int k, double t, const double *y,
                      const double *f, double span, double *rate);

/* ------------------------------------------------------ extra_state.c ---- */

/* Guard k along the predicted step `ahead` as a state z = g, z' = dg/dt, that has been
 * integrated along the last step.  *p borrows g->row.  0: it is a state itself, or
 * there are no rates, or (last NULL) no step. */
int brink__guard_extra_state(brink__guards *g, int k, const brink_step *last,
                             const brink_step *ahead, brink__poly *p);

/* ------------------------------------------------------------ ahead.c ---- */

/* Before a step of length h, which guards are clear of zero as far as the last step
 * tells? Writes clear in their watches; the number of the others. */
int brink__guards_ahead(brink__guards *g, double h);

#endif /* BRINK_GUARDS_H */
