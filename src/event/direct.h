/* event/direct.h -- the inside of the locators `direct`: what their files share.
 *
 *   direct.c ........... the locators, and one step of each variant
 *   direct_history.c ... where the first values of f come from; orders
 *   direct_tau.c ....... how long a step is: equations for tau, local error, landing
 *   direct_paths.c ..... the state at the end of a step of length tau, by each formula
 *
 * Names are those of [DL15]: h the event function, negative up to the event (here -sign
 * g); tau_{k+1} the next step; m the order; eta what a step adds to h; x^P the
 * predictor.
 */
#ifndef BRINK_DIRECT_H
#define BRINK_DIRECT_H

#include "event/locator.h"
#include "ode/adams_basis.h"

enum {
  BRINK__DIRECT_MOST = BRINK_LOCATE_ORDER_MOST,
  BRINK__DIRECT_ROWS = BRINK__DIRECT_MOST + 1,  /* values of f that are kept          */
  BRINK__DIRECT_DEGREE = BRINK__DIRECT_MOST + 1 /* of the corrector's polynomial     */
};

typedef enum brink__direct_variant {
  BRINK__DIRECT_NEWTON, /* last step: variable coefficients, Newton; remark 2.1       */
  BRINK__DIRECT_CONST,  /* last step: coefficients of a constant step; remark 2.1     */
  BRINK__DIRECT_PC,     /* predictor-corrector, eta is halved; (15)-(17)              */
  BRINK__DIRECT_PC2     /* predictor-corrector, each has its own tau; (18), (19)      */
} brink__direct_variant;

/* What a locator remembers in a regime; vectors follow in mem, see brink__direct_row.
 */
typedef struct brink__direct {
  int have;    /* values f_k, f_{k-1}, ...; 0: none                               */
  int m;       /* order of the next step                                          */
  int stepped; /* f_k at the end of its last step is not among them yet ...       */
  int f_known; /* ... but in row FP                                               */
  int guard;   /* for which eta was chosen                                        */
  double eta;  /* 0: not chosen yet                                               */
  double tau;  /* tau_k                                                           */
  double back[BRINK__ADAMS_ROWS + 2]; /* t_k - t_{k-i}                            */
  double mem[];
} brink__direct;

/* Vectors of length n in mem; the state of the Runge-Kutta method that starts high
 * orders lies behind them. */
enum {
  BRINK__DIRECT_F = 0,                         /* [ROWS] f_k, f_{k-1}, ...            */
  BRINK__DIRECT_PHI = BRINK__DIRECT_ROWS,      /* [ROWS] their modified differences   */
  BRINK__DIRECT_XP = 2 * BRINK__DIRECT_ROWS,   /* predictor                           */
  BRINK__DIRECT_FP,                            /* f(x^P)                              */
  BRINK__DIRECT_V,                             /* remark 2.1: x_{k+1} = x_k + tau v   */
  BRINK__DIRECT_WORK,                          /* scratch                             */
  BRINK__DIRECT_BASE = BRINK__DIRECT_WORK + 1, /* [DEGREE + 1] predictor's polynomial */
  BRINK__DIRECT_VECTORS = BRINK__DIRECT_BASE + BRINK__DIRECT_DEGREE + 1
};

/* One call: the point, the memory, and the step that is being made. */
typedef struct brink__direct_step brink__direct_step;
struct brink__direct_step {
  brink__direct *s;
  const brink__takeover_at *at;
  brink__taken *out;
  brink_err *err;
  brink__direct_variant variant;
  size_t n;
  int order;   /* m as asked for                                                    */
  double h_k;  /* h(x_k)                                                            */
  double lie;  /* dh/dt there, h_x^T f                                              */
  double span; /* the predictor's polynomial is in BASE, on [0, span] ...           */
  double over; /* what the last step adds beyond the zero                           */
  brink__adams_basis basis; /* ... with this basis                                  */
};

static inline double *brink__direct_row(brink__direct_step *w, int row)
{
  return w->s->mem + (size_t)row * w->n;
}

/* The step of length tau by one formula: writes out->coeff, out->degree, out->y. */
typedef void brink__direct_path(brink__direct_step *w, double tau);

/* ----------------------------------------------------- direct_history.c ---- */

/* Bytes of the state of the Runge-Kutta methods that start orders above 2. */
size_t brink__direct_starter_size(const brink_flow *flow);

/* The order that the options or the tolerance ask for. */
int brink__direct_order(const brink_sim_opts *opt);

/* f_k at the point where the run stands, in front of those that are known. */
brink_status brink__direct_note(brink__direct_step *w);

/* Values of f from the polynomial of the last step; 0: there is none, or it has too
 * few.
 */
int brink__direct_recall(brink__direct_step *w);

/* The start: m - 1 Runge-Kutta steps, which are one step of the run. */
brink_status brink__direct_start(brink__direct_step *w);

/* --------------------------------------------------------- direct_tau.c ---- */

/* h at (t, y); 0: the guard has no value there. */
int brink__direct_h(const brink__direct_step *w, double t, const double *y, double *h);

/* h_x^T f at x_k for the f in row F; 0: that cannot be said. */
int brink__direct_lie(brink__direct_step *w);

/* Root mean square of v in units of the tolerance at x_k. */
double brink__direct_norm(const brink__direct_step *w, const double *v);

/* Does h rise, faster than lie_min, at the end of the step in *out, of length tau? */
int brink__direct_rises(brink__direct_step *w, double tau);

/* The local error of the predictor's step in *out of length tau, in tolerances, by f at
 * its end, which goes to row FP.  *rc: whether f exists there. */
double brink__direct_defect(brink__direct_step *w, double tau, brink_status *rc);

/* tau_err: the longest step up to `most` whose local error is within the tolerance. */
double brink__direct_tau_err(brink__direct_step *w, double most);

/* The predictor's polynomial up to tau = span. */
void brink__direct_predict(brink__direct_step *w, double span);

/* Smallest positive root tau <= span of h(x(tau)) = h_k + eta along the predictor;
 * HUGE_VAL: there is none.  Sets w->over for a step that reaches the zero. */
double brink__direct_root(brink__direct_step *w, double eta);

/* A step along a path that ends where h is `target` or a rounding below it, found by
 * Newton's method from tau on.  Its length; 0: there is none. */
double brink__direct_land(brink__direct_step *w, brink__direct_path *path, double tau,
                          double target);

/* Is the end of the step in *out inside of all unilateral events? */
int brink__direct_inside(const brink__direct_step *w, double tau);

/* ------------------------------------------------------- direct_paths.c ---- */

/* (5): the polynomial in BASE. */
void brink__direct_predictor(brink__direct_step *w, double tau);

/* Remark 2.1: coefficients of a constant step, 3/2 and -1/2 for m = 2.  First their sum
 * with the values of f. */
void brink__direct_average(brink__direct_step *w);
void brink__direct_constant(brink__direct_step *w, double tau);

/* (16), with f(x^P) in row FP as the value of f at the end of the step. */
void brink__direct_corrector(brink__direct_step *w, double tau);

#endif /* BRINK_DIRECT_H */
