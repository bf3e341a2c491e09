/* ode/method.h -- what a method is: one file, one const object, one line in
 * methods.def.  Where a method has nothing to do it names a shared no-op of rk.h.
 *
 * The driver decides, the method computes: `attempt` never accepts, `accept` never
 * evaluates f.  The driver allocates state_size bytes once, zeroed; a method file
 * contains no allocation.  f is called through the gate only.  A state holds no pointer
 * into itself: a copy of its bytes is a copy of the method, unless it has resources of
 * its own, which `copy` then leaves where they are.
 */
#ifndef BRINK_METHOD_H
#define BRINK_METHOD_H

#include "brink/integrator.h"
#include "ode/gate.h"
#include "ode/tolerance.h"

enum {
  BRINK__MULTISTEP = 1 << 0,  /* keeps history; start() is costly              */
  BRINK__FIXED_STEP = 1 << 1, /* no error estimate: h is the user's h0         */
  BRINK__C1 = 1 << 2,         /* slopes of adjacent step polynomials meet      */
  BRINK__ORDERS = 1 << 3,     /* has several, the option `order` names one     */
  BRINK__FREE_DENSE = 1 << 4, /* its polynomial takes no evaluations of f      */
  BRINK__NEEDS_JET = 1 << 5,  /* takes the flow's Taylor series, not only rhs  */
  BRINK__SURE_DENSE = 1 << 9, /* what it controls is the error of its polynomial */
  BRINK__OWN_STEP = 1 << 6,   /* tests its error and chooses its steps itself: an
                                 attempt takes a step of at most h             */
  BRINK__IMPLICIT = 1 << 7,   /* for stiff problems                            */
  BRINK__CHOOSES = 1 << 8     /* `acting` says which method it has chosen; their
                                 flags count                                   */
};

/* What an attempt leaves besides the candidate. */
typedef struct brink__outcome {
  double err;      /* scaled error; accept when <= 1                          */
  double h;        /* the step that was taken, 0: the one asked for           */
  double h_lambda; /* estimate of |h * dominant eigenvalue|, 0 if unknown     */
  double retry;    /* BRINK_EDOMAIN: a length that should do, 0 if unknown    */
} brink__outcome;

typedef struct brink_method {
  const char *name;  /* as typed by the user                            */
  const char *about; /* one line for people                             */
  const char *cite;  /* key in docs/references.bib                      */
  const char *needs; /* a library that brink was built without; NULL: the
                        method is there                                 */
  int order;         /* of the propagated solution                      */
  const int *orders; /* those that the option `order` may name, then 0;
                        NULL: all up to order                           */
  int error_order;   /* of the error estimate                           */
  int dense_order;   /* of the step polynomial                          */
  int max_degree;    /* of the step polynomial                          */
  int stages;        /* of its Runge-Kutta tableau, with f at the end
                        point and those of the polynomial; 0: none      */
  double beta;       /* weight of the last error in the controller      */
  double safety;     /* part of the step that would just do; 0: 0.9     */
  double stability;  /* |h lambda| beyond this is a sign of stiffness   */
  double stride;     /* a first step over an ordinary one, 0: 1         */
  unsigned flags;

  size_t (*state_size)(const brink_flow *flow, const brink_integrator_opts *opt);

  /* Once, before anything else: settings, resources of the method's own, which take
   * memory from the context where they can; and the end of them, also of those that
   * were only partly there.  A failure leaves its sentence in the context. */
  brink_status (*open)(void *state, brink_ctx *ctx, const brink_flow *flow,
                       const brink_integrator_opts *opt);
  void (*close)(void *state);

  /* A new run: what earlier ones have taught is forgotten, and nothing allocated.
   * NULL: it is closed and opened anew. */
  void (*forget)(void *state, const brink_flow *flow, const brink_integrator_opts *opt);

  /* Go on as `from` would, where both were opened alike on this flow; size: bytes of a
   * state.  May take memory that `from` has taken since. */
  brink_status (*copy)(void *to, const void *from, const brink_flow *flow, size_t size);

  /* Forget history: the next attempt begins elsewhere, or the last step is undone. */
  void (*start)(void *state, size_t n);

  /* A stretch of smooth solution ended at t, by a jump or a new run; then start. */
  void (*ended)(void *state, double t);

  /* Once at every new point, before attempts and predictions from there: what can be
   * known of the step without looking ahead.  May write *h > 0, the size of the step.
   * BRINK_ENOMEM leaves its sentence in the context that the method was opened with. */
  brink_status (*begin)(void *state, brink__gate *gate, const brink__tol *tol, double t,
                        const double *y, double *h);

  /* Try h from (t, y), or less (BRINK__OWN_STEP, out->h).  Leaves the candidate in the
   * state and the verdict in *out.  Never changes y.  BRINK_OK, BRINK_EDOMAIN (retry
   * smaller) or BRINK_EUSER. */
  brink_status (*attempt)(void *state, brink__gate *gate, const brink__tol *tol,
                          double t, double h, const double *y, brink__outcome *out);

  /* The step of size h as the method predicts it *before* f is evaluated ahead of
   * (t, y).  Returns the degree, 0: no prediction. */
  int (*predict)(void *state, size_t n, double t, double h, const double *y,
                 double *coeff);

  /* What the polynomial needs beyond the attempt (extra stages), called between a
   * passed attempt and accept, only if someone reads this step.  May answer
   * BRINK_EDOMAIN: the step is retried. */
  brink_status (*dense)(void *state, brink__gate *gate, double t, double h,
                        const double *y);

  /* The attempt was accepted: write its polynomial, rotate history.  Returns the
   * degree, which variable-order methods change from step to step.  If dense was not
   * called, any polynomial that has both ends right will do. */
  int (*accept)(void *state, size_t n, double h, const double *y, double *coeff);

  /* The end of the accepted step was moved a little, onto constraints of the solution;
   * f [n] is the derivative there. */
  void (*moved)(void *state, size_t n, const double *f);

  /* The candidate end point of the last attempt, [n]. */
  const double *(*candidate)(const void *state, size_t n);

  /* The method at work, whose orders, beta and stability count; it may change at a
   * start and at the first attempt after an accepted step.  NULL: this one. */
  const struct brink_method *(*acting)(const void *state);

  /* The size of the next step, asked after an accepted and after a rejected one; 0: it
   * is left to the controller. */
  double (*next_step)(const void *state);
} brink_method;

/* By name; NULL if unknown. */
const brink_method *brink__method_find(const char *name);

/* Its place in the list of brink_method_name(). */
int brink__method_index(const brink_method *method);

/* The method that the state of `auto` has chosen. */
const brink_method *brink__auto_chosen(const void *state);

#define BRINK_METHOD(name) extern const brink_method brink__##name;
#include "ode/methods.def"
#undef BRINK_METHOD

#endif /* BRINK_METHOD_H */
