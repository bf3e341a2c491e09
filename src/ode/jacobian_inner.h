/* ode/jacobian_inner.h -- what the files behind ode/jacobian.h share. */
#ifndef BRINK_JACOBIAN_INNER_H
#define BRINK_JACOBIAN_INNER_H

#include "ode/jacobian.h"

struct brink__jacobian {
  size_t n;        /* n + n_z                                                        */
  size_t n_groups; /* of columns; 0: not known yet                                   */
  int checked;     /* claims of a user were compared with differences before         */
  uint64_t seed;   /* of the directions of that                                      */
  int both_sides;  /* the smaller of two quotients is taken */
};

/* The arrays behind the head. */
enum { BRINK__JACOBIAN_VECTORS = 8 }; /* of numbers, [n] each */

typedef struct brink__jacobian_arrays {
  double *u;      /* [n] the point that is moved                                     */
  double *F;      /* [n] there                                                       */
  double *delta;  /* [n] increments                                                  */
  int32_t *start; /* [n + 1] first entry of each column                              */
  int32_t *first; /* [n + 1] first column of each group, in ...                      */
  int32_t *order; /* [n] ... this order                                              */
  int32_t *mark;  /* [n] of rows: the group that was seen there last                 */
  int32_t *group; /* [n] of each column                                              */
  double *d, *change, *claim, *bound, *lower; /* [n] each: jacobian_check.c */
} brink__jacobian_arrays;

static inline size_t brink__jacobian_head(void)
{
  return brink__need(0, 1, sizeof(brink__jacobian));
}

static inline brink__jacobian_arrays brink__jacobian_arrays_of(brink__jacobian *j)
{
  double *v = (double *)(void *)((unsigned char *)j + brink__jacobian_head());
  int32_t *i = (int32_t *)(void *)(v + BRINK__JACOBIAN_VECTORS * j->n);

  return (brink__jacobian_arrays){.u = v,
                                  .F = v + j->n,
                                  .delta = v + 2 * j->n,
                                  .start = i,
                                  .first = i + (j->n + 1),
                                  .order = i + 2 * (j->n + 1),
                                  .mark = i + 2 * (j->n + 1) + j->n,
                                  .group = i + 2 * (j->n + 1) + 2 * j->n,
                                  .d = v + 3 * j->n,
                                  .change = v + 4 * j->n,
                                  .claim = v + 5 * j->n,
                                  .bound = v + 6 * j->n,
                                  .lower = v + 7 * j->n};
}

/* The increment of unknown i in a difference quotient. */
double brink__jacobian_increment(const brink__tol *tol, const brink_flow *flow,
                                 size_t i, double u);

/* jacobian_check.c: the user's pattern and entries at (t, u), where F is known, against
 * differences along a random direction.  BRINK_OK, or BRINK_EUSER: the gate says what
 * is wrong. */
brink_status brink__jacobian_check(brink__jacobian *j, brink__gate *gate,
                                   const brink__tol *tol, double t, const double *u,
                                   const double *F, const double *entry);

#endif /* BRINK_JACOBIAN_INNER_H */
