/* brink/constrained.h -- initial-value problems in a constrained state space,
 * IVP(f, H, K) [Donolo02, 2.2].
 *
 * Inside K the state follows x' = f(t, x).  K is given by bounds for each component,
 * k_l(t, x) <= x <= k_u(t, x).  When the state meets a bound, the boundary map H takes
 * (t, x) on the boundary to (t+, x+) in K, t+ >= t.  This is a layer over guards and
 * jumps: the result is a brink_model like any other.
 *
 *   static int bounce(brink_boundary *b) { b->x[1] *= -0.9; return 0; }   // H
 *
 *   const double lower[] = {0, -INFINITY};
 *   const brink_constrained_def def = {.n = 2, .rhs = fall, .lower = lower,
 *                                      .boundary = bounce};
 *   brink_constrained_new(ctx, &def, &model);
 *   brink_sim_start(sim, 0, 0, x0);                                   // x0 in K
 *
 * H may let a component stay where it is (b->stay[i] = 1): it is then held on its bound
 * until f points inward, or a jump moves it away.  Meanwhile the model is in its mode
 * 1, "boundary".
 *
 * Nothing leaves K.  If H leaves the state on a bound and the flow goes out from there,
 * the run ends: with BRINK_ZENO if f points inward and the state only comes back faster
 * than time can tell (a ball at the end of its bounces), else with BRINK_EDOMAIN.
 */
#ifndef BRINK_CONSTRAINED_H
#define BRINK_CONSTRAINED_H

#include "brink/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both bounds of component i at (t, x), which come in as -INFINITY and INFINITY: none.
 * Only those that `lower` and `upper` leave open count.  Continuous. */
typedef void brink_bounds_fn(double t, const double *x, size_t i, double *lower,
                             double *upper, const brink_env *env);

/* What H sees and may change.  All bounds that are met at one time are one call. */
typedef struct brink_boundary {
  double t;
  const double *x_before;      /* [n] on the boundary, to the last bit               */
  const signed char *at;       /* [n] -1: at its lower bound, +1: at its upper       */
  const double *lower, *upper; /* [n] the bounds there                          */
  double t_after;              /* t+, starts as t.  Between t and t+ there is no
                                  state; see brink_jump.t_after                      */
  double *x;                   /* [n] x+, starts as x_before                         */
  signed char *stay;           /* [n] zeros; 1: hold this component, which must be at
                                  a constant bound                                   */
  double *p, *u, *w;
  int stop; /* 1: the run ends here */
  void *user;
} brink_boundary;

/* 0 ok; < 0: the run ends with BRINK_EUSER. */
typedef int brink_boundary_fn(brink_boundary *b);

typedef struct brink_constrained_def {
  const char *name;
  size_t n;
  const char *const *states; /* names; NULL: x1, x2, ...                         */
  brink_rhs_fn *rhs;
  const double *lower, *upper; /* [n] constant bounds, infinite: none, NaN:
                                  ask `bounds`.  NULL: NaN for all if there
                                  is `bounds`, else none                    */
  brink_bounds_fn *bounds;
  brink_boundary_fn *boundary;
  int stays; /* 1: H uses b->stay                                 */
  const brink_timer_def *timers;
  int n_timers;
  const double *p, *u, *w;
  int n_p, n_u, n_w;
  void *user;
} brink_constrained_def;

/* Build.  On failure *out is NULL and the reason is in brink_ctx_error(ctx).  A run
 * ends with BRINK_EDOMAIN and one sentence if the bounds of a component leave nothing
 * (lower > upper), if it starts outside K, or if H returns a state outside K, or on the
 * boundary with f leading outward.  Everything but `user` is copied. */
BRINK_API brink_status brink_constrained_new(brink_ctx *ctx,
                                             const brink_constrained_def *def,
                                             brink_model **out);

/* For rhs: which components are held, -1 at the lower bound, +1 at the upper, 0 not
 * [n].  f[i] of a component that is held is what it would be if it were free; the layer
 * replaces it by 0. */
BRINK_API const signed char *brink_constrained_held(const brink_env *env);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_CONSTRAINED_H */
