/* breitenecker_runs.h -- the experiments of [BEHK12]: location of events by iteration
 * in time, every proposal integrated anew, against the step in the guard, and against
 * locators that read the polynomial of the step.
 */
#ifndef BRINK_PAPERS_BREITENECKER_RUNS_H
#define BRINK_PAPERS_BREITENECKER_RUNS_H

#include "papers/breitenecker.h"

/* The algorithms of section 3; the last three propose once. */
typedef enum breitenecker_way {
  BREITENECKER_BISECTION,
  BREITENECKER_SECANT,  /* between the ends of the bracket: regula falsi          */
  BREITENECKER_TANGENT, /* Newton                                                 */
  BREITENECKER_SECANT_1,
  BREITENECKER_TANGENT_1,
  BREITENECKER_QUADRATIC, /* the Taylor series of second order                     */
  BREITENECKER_WAYS
} breitenecker_way;

extern const char *const breitenecker_way_names[BREITENECKER_WAYS];

typedef struct breitenecker_found {
  int n;             /* events, of problem->n_events                                 */
  double worst_t;    /* error of their times; of the first: ...                      */
  double first_t;    /* ... this                                                      */
  double worst_g;    /* |g| at the state that is handed over                         */
  double f, g;       /* calls per event beyond those of a step without one            */
  long f_all, g_all; /* calls of the whole run                                      */
  char by[32];       /* located_by, if it is the same for all events, or "several"    */
  int failed;        /* the run has not come to its end ...                           */
  brink_err why; /* ... for this reason                                            */
} breitenecker_found;

/* The classical fourth-order Runge-Kutta method with steps of h.  Where the sign of the
 * guard has changed the event is located to tol: state and guard at each proposal come
 * from a step that begins where the step began. */
breitenecker_found breitenecker_classic(const breitenecker_problem *p,
                                        breitenecker_way way, double h, double tol);

/* The same problem by the library.  opt->keep is its own. */
breitenecker_found breitenecker_library(brink_ctx *ctx, const breitenecker_problem *p,
                                        const brink_sim_opts *opt);

/* ------------------------------------------------------------ figures ---- */

/* One step of the pendulum towards its pin: the guard along it, and what each algorithm
 * makes of it. */
enum { BREITENECKER_POINTS = 101, BREITENECKER_PROPOSALS = 4 };

typedef struct breitenecker_step {
  double t[BREITENECKER_POINTS], g[BREITENECKER_POINTS]; /* at equal times         */
  double rate, bend; /* of the guard at t[0], first and second derivative          */
  double zero;       /* where it is zero                                           */
  double proposal[BREITENECKER_WAYS][BREITENECKER_PROPOSALS];   /* the first ones     */
  double proposal_g[BREITENECKER_WAYS][BREITENECKER_PROPOSALS]; /* the guard there  */
} breitenecker_step;

/* From t0 to t1, which must show the zero. */
void breitenecker_step_show(double t0, double t1, breitenecker_step *out);

#endif /* BRINK_PAPERS_BREITENECKER_RUNS_H */
