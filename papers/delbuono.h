/* delbuono.h -- the problems and experiments of [DL15].
 *
 * Example 1 is a field that does not exist beyond its event, example 2 a neural network
 * whose activation jumps; both as models of callbacks with one unilateral event.  The
 * experiments run them with the locators `direct` from the start on (near_g) and write
 * down every step.  `plain` is the same by a loop that follows the paper word by word:
 * for the readings that the locators do not have, and for the tests.
 */
#ifndef BRINK_PAPERS_DELBUONO_H
#define BRINK_PAPERS_DELBUONO_H

#include "brink/brink.h"

enum { DELBUONO_STEPS = 6000 };

/* What a run has done: x_0 and every step. */
typedef struct delbuono_run {
  int n;                      /* steps, the one that starts with them               */
  double tau[DELBUONO_STEPS]; /* [n] tau_1, ...                                     */
  double h[DELBUONO_STEPS];   /* [n] h(x_1), ...                                    */
  int halved[DELBUONO_STEPS]; /* [n] plain: how often eta was halved in the step    */
  int halvings;               /* plain: their sum                                   */
  double eta;                 /* plain: at the end                                  */
  double t, x[3];             /* where it ended                                     */
  long f_evals, outside_evals;
  const char *located_by; /* "": at no event                                        */
} delbuono_run;

/* ------------------------------------------------------------ problems --- */

/* Example 1 with smoothness r, or (r < 0) example 2. */
typedef struct delbuono_problem {
  double r;
} delbuono_problem;

enum { DELBUONO_NETWORK = -1 };

brink_model *delbuono_model(brink_ctx *ctx, const delbuono_problem *problem);

/* x_1 of example 1 at the event, and the time of the event of example 2 with its state
 * there (Taylor series in 40 digits, and radau at 1e-13). */
double delbuono_exact(double r);
extern const double delbuono_network_event[4]; /* t, x_1, x_2, x_3 */

/* --------------------------------------------------------- experiments --- */

/* A run to the event.  0, or -1 with a sentence in the context. */
int delbuono_solve(brink_ctx *ctx, const delbuono_problem *problem,
                   const brink_sim_opts *opt, delbuono_run *out);

/* Options of the tables: steps of eta from the start on, with order m, the local error
 * below eps in the Euclidean norm (0: without limit), tau_1 = eta. */
brink_sim_opts delbuono_options(const delbuono_problem *problem, const char *locator,
                                int m, double eta, double eps);

typedef enum delbuono_reading {
  DELBUONO_VARIABLE,  /* (11) and (5) with variable coefficients: the formulas        */
  DELBUONO_CONSTANT,  /* tau by (11), the state with 3/2, -1/2 but for the last step:
                         the printed Table 2                                         */
  DELBUONO_TRAPEZOID, /* predictor-corrector, the corrector is the trapezoidal rule   */
  DELBUONO_MOULTON    /* predictor-corrector, Adams-Moulton with three values         */
} delbuono_reading;

/* m = 2, word by word.  rho: of Milne's device. */
void delbuono_plain(const delbuono_problem *problem, delbuono_reading reading,
                    double eta, double rho, double eps, delbuono_run *out);

#endif /* BRINK_PAPERS_DELBUONO_H */
