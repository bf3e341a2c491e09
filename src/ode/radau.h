/* ode/radau.h -- the state of the Radau IIA methods, which radau.c and radau_newton.c
 * share. */
#ifndef BRINK_RADAU_H
#define BRINK_RADAU_H

#include "linear/shifted_set.h"
#include "ode/jacobian.h"
#include "ode/method.h"
#include "ode/radau_table.h"

/* Arrays of numbers in the state; [N] has the states and the unknowns of loops. */
enum {
  BRINK__RADAU_U,      /* [N] where the step begins                                  */
  BRINK__RADAU_U1,     /* [N] where the attempt ends                                 */
  BRINK__RADAU_F0,     /* [N] F(t, u)                                                */
  BRINK__RADAU_SCALE,  /* [N] tolerances at u                                        */
  BRINK__RADAU_WORK,   /* [2][N]                                                     */
  BRINK__RADAU_Z,      /* [s][N] stages less u                                       */
  BRINK__RADAU_W,      /* [s][N] T^-1 Z                                              */
  BRINK__RADAU_F,      /* [s][N] F at the stages; increments of Z                    */
  BRINK__RADAU_D,      /* [s][N] increments of W                                     */
  BRINK__RADAU_LAST,   /* [s][N] coefficients of the last step's polynomial          */
  BRINK__RADAU_TERMS,  /* [2][N] sums of |J_ij U_j|, and |J_ii|                       */
  BRINK__RADAU_J,      /* [nnz] dF/du                                                */
  BRINK__RADAU_FINITE, /* the object that takes differences                          */
  BRINK__RADAU_RK,     /* the state of dopri5                                        */
  BRINK__RADAU_ARRAYS
};

typedef struct brink__radau_state {
  size_t n, N;
  int fixed; /* 1: one order was asked for                                           */
  int first, last; /* smallest and largest number of a table                         */
  brink__shifted_set *matrices; /* re[0]/h M - J, then the complex ones               */
  size_t at[BRINK__RADAU_ARRAYS]; /* where arrays begin, in data                     */

  /* -- the point where the step begins -- */
  int have_u; /* U and F0 are there                                                 */
  int have_z; /* the unknowns of loops are those at the end of the last step        */
  int fresh;  /* J belongs to this very point                                       */

  /* -- the matrices -- */
  int have_J;
  int needed;        /* iterations until its rate of convergence is known */
  int factored;      /* factors are there, of ...                                    */
  double factored_h; /* ... this step ...                                            */
  int factored_k;    /* ... and table                                                */
  double norm;       /* of J: the largest sum of a row, in units of tolerances       */

  /* -- the attempt -- */
  int by_rk; /* dopri5 takes this step */
  int k;     /* table                                                         */
  double h;
  int iterations;
  double rate;      /* at which Newton's iteration converged                         */
  double next_rate; /* rate/(1 - rate), for the first iteration of the next step     */
  double err;

  /* -- the last step, and the next one -- */
  int have_last;   /* LAST is there: ...                                           */
  int last_k;      /* ... of this table ...                                        */
  double last_h;   /* ... and length                                               */
  double last_err; /* its error; 0: nothing is known for the controller            */
  int rejected;    /* the last attempt failed                                      */
  int failed;      /* so did Newton's iteration, since the last accepted step      */
  int since;       /* accepted steps since the order was changed                   */
  int next_k;
  double asked;  /* length that was proposed for the attempt, 0: none            */
  double h_next; /* 0: not known                                                 */
  double data[];
} brink__radau_state;

static inline double *brink__radau_array(brink__radau_state *s, int which)
{
  return s->data + s->at[which];
}

static inline const brink__radau_table *
brink__radau_table_of(const brink__radau_state *s)
{
  return &brink__radau_tables[s->k];
}

/* radau_newton.c: solve the stages of a step h from (t, U).  BRINK_OK: Z is there.
 * BRINK_EDOMAIN: it is not; *h_retry > 0 is a length that should do, 0: f was refused.
 * BRINK_EUSER, BRINK_ENOMEM. */
brink_status brink__radau_stages(brink__radau_state *s, brink__gate *gate,
                                 const brink__tol *tol, double t, double h,
                                 double *h_retry);

/* What the rounding of F moves each unknown by in a step of length h: that of a row
 * moves its solution by about the row's terms over the diagonal of the matrix.  Writes
 * size[0..N-1]. */
void brink__radau_rounding(brink__radau_state *s, double h, double *size);

/* sqrt of the mean of (v_i / scale_i)^2, i < n. */
double brink__radau_norm(size_t n, const double *v, const double *scale);

#endif /* BRINK_RADAU_H */
