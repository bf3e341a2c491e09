/* brink/reflected.h -- reflected paths: Skorokhod's problem in a box.
 *
 * Inside its bounds the state follows x' = f(t, x).  On a bound it is kept inside by
 * the least push along a given direction:
 *
 *   x(t) = x(0) + integral f dt + sum_k L_k(t) d_k,
 *
 * where L_k never decreases, and increases only while x is on bound k.  The pushes L
 * are states of the model: after the n of the problem comes one for each finite bound,
 * lower before upper, component by component; they are named x.L_min, x.L_max.
 *
 *   static const double lower[] = {0, 0},
 *                       along[] = {1, -0.5,  // at x1 = 0
 *                                  0.25, 1}; // at x2 = 0
 *   const brink_reflected_def def = {
 *       .n = 2, .rhs = drift, .lower = lower, .along = along};
 *
 *   brink_reflected_new(ctx, &def, &model);
 *   brink_sim_start(sim, 0, 0, x0); // x0: n values, and a zero for each push
 *
 * Where several bounds are met at once, a linear complementarity problem tells which of
 * them push (docs/contact.md).
 */
#ifndef BRINK_REFLECTED_H
#define BRINK_REFLECTED_H

#include "brink/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct brink_reflected_def {
  const char *name;
  size_t n;
  const char *const *states; /* [n] names; NULL: x1, x2, ...                        */
  brink_rhs_fn *rhs;         /* writes f[0 .. n - 1]; x has the pushes behind them   */
  const double *lower, *upper; /* [n] infinite: none; NULL: none at all              */
  const double *along; /* [n][n] row i: direction of the push at the lower bound of
                          component i, its own element positive; at the upper bound its
                          negative.  NULL: across the bound                          */
  const brink_timer_def *timers;
  int n_timers;
  const double *p, *u, *w;
  int n_p, n_u, n_w;
  void *user;
} brink_reflected_def;

/* Build.  On failure *out is NULL and the reason is in brink_ctx_error(ctx).  A start
 * outside the bounds is pushed onto them at once, by pushes that are found together; if
 * there are none, or more than 12, it ends with a sentence.  Everything but `user` is
 * copied. */
BRINK_API brink_status brink_reflected_new(brink_ctx *ctx,
                                           const brink_reflected_def *def,
                                           brink_model **out);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_REFLECTED_H */
