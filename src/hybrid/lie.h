/* hybrid/lie.h -- Lie derivatives of guards: how a guard moves along a law.
 *
 * A law is the flow of a model in one mode with one live object.  Along the solution
 * through (t, y), whether or not the run will follow it,
 *
 *   g(t + s, y(s)) = g + L_f g s + L_f^2 g s^2/2 + ...
 *
 * and L_d is the derivative along a fixed direction d of the states.  Regimes made at
 * run time are classified by these numbers on both sides of a guard.
 *
 *   void *memory = ... brink__lie_size(model, live, mode) bytes, zeroed ...;
 *   brink__lie_init(&lie, memory, model, live, mode);
 *   int known = brink__lie_along(&lie, k, t, y, 2, d);   // d[0 .. known]
 */
#ifndef BRINK_LIE_H
#define BRINK_LIE_H

#include "event/guards.h"

enum { BRINK__LIE_ORDER = 3 }; /* the highest that is computed */

/* A number, and what it is uncertain by: rounding, and the error of differences where
 * there are no series.  What the state itself is uncertain by is not in it; nor, in
 * the value of a guard, more than its last rounding: bands of guards are in watch.h. */
typedef struct brink__estimate {
  double value, bound;
} brink__estimate;

/* Is the estimate different from 0? */
static inline int brink__estimate_sign(brink__estimate e)
{
  return fabs(e.value) <= e.bound ? 0 : e.value > 0 ? 1 : -1;
}

typedef struct brink__lie {
  brink__guards guards; /* of the mode, with levels; the watches are not used        */
  brink_flow flow;
  long f_evals; /* evaluations of f, counting those inside series as one each        */
  double span;  /* no difference is taken over a longer time; 0: any may be           */
  double *unit; /* [n] size of each state that counts as 1                            */
  double *c;    /* [n][LIE_ORDER + 1] the solution, in powers of time since t ...     */
  int degree;   /* ... up to this power ...                                           */
  double *error; /* [n] ... and what its square term is uncertain by */
  double *y, *f; /* [n] scratch */
  double *there; /* [n] scratch of brink__lie_across */
  double *slope; /* scratch of differences */
  void *jet; /* of flow.jet                                                        */
} brink__lie;

/* The memory belongs to (live, mode).  Does not allocate. */
size_t brink__lie_size(const brink_model *model, brink__live *live, int mode);
void brink__lie_init(brink__lie *l, void *memory, const brink_model *model,
                     brink__live *live, int mode);

/* The live object was changed: ask for the flow and the levels again. */
void brink__lie_refresh(brink__lie *l);

/* d[j] = L_f^j g of guard k at (t, y) for j = 0 .. order (at most LIE_ORDER).  Returns
 * how far they are known, the highest j; -1: g or f has no value there. */
int brink__lie_along(brink__lie *l, int k, double t, const double *y, int order,
                     brink__estimate *d);

/* *out = L_d L_f^order g, order < LIE_ORDER.  0: it is not known. */
int brink__lie_across(brink__lie *l, int k, double t, const double *y, int order,
                      const double *d, brink__estimate *out);

/* The law itself at (t, y): as flow.rhs, and counted; > 0 beyond a unilateral event. */
int brink__lie_law(brink__lie *l, double t, const double *y, double *f);

#endif /* BRINK_LIE_H */
