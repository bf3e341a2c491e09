/* brink/continue.h -- curves of solutions of a text model over a parameter.
 *
 * The equations of a model at rest (every derivative is 0, time stands still) have
 * solutions that form curves over a parameter p: for a purely algebraic model its
 * solutions, for one with states its equilibria.  A curve is followed by its length and
 * not by p, so that it may turn back in p.
 *
 *   brink_curve_opts opt = brink_curve_defaults();
 *   opt.over = "p", opt.from = 0, opt.to = 2;
 *   brink_curve_new(sim, 0, &opt, &curve);        // sets p and starts sim at t = 0
 *   while ((rc = brink_curve_next(curve, &point)) == BRINK_OK)
 *     printf("%g %g\n", point.p, point.values[0]);
 *   brink_curve_free(curve);
 *
 * Discrete variables that whens assign keep the values of the start; samples never
 * tick; a delayed value is the value itself.
 */
#ifndef BRINK_CONTINUE_H
#define BRINK_CONTINUE_H

#include "brink/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* name in the enum, text in files: nothing special; p turns back; other solutions cross
 * the curve here, which goes straight on; a relation changes its value. */
#define BRINK_CURVE_KIND_MAP(X)                                                        \
  X(POINT, "point")                                                                    \
  X(FOLD, "fold")                                                                      \
  X(BRANCH, "branch point")                                                            \
  X(SWITCH, "switch")

typedef enum brink_curve_kind {
#define X(name, text) BRINK_CURVE_##name,
  BRINK_CURVE_KIND_MAP(X)
#undef X
} brink_curve_kind;

BRINK_API const char *brink_curve_kind_text(brink_curve_kind kind);

/* Take the defaults from brink_curve_defaults().  Lengths along the curve count p in
 * units of |to - from|, and an unknown in units of its size, or of its nominal value
 * if that is larger, times the root of their number. */
typedef struct brink_curve_opts {
  size_t size;        /* sizeof(brink_curve_opts), as compiled into the program */
  const char *over;   /* name of a Real parameter, or "time"               [NULL] */
  double from, to;    /* different                                         [0, 1] */
  double h0;          /* length of the first step, > 0                     [0.01] */
  double h_max;       /* longest step, > 0                                 [0.02] */
  double max_seconds; /* wall time limit; 0: none                             [0] */
  long max_points;    /* limit on points; 0: none                         [10000] */
  int natural;        /* 1: by p in place of its length; a fold is its end    [0] */
} brink_curve_opts;

static inline brink_curve_opts brink_curve_defaults(void)
{
  brink_curve_opts opt = {
      sizeof(brink_curve_opts), NULL, 0, 1, 0.01, 0.02, 0, 10000, 0};
  return opt;
}

/* A point of the curve; pointers are valid until the next call on it. */
typedef struct brink_curve_point {
  brink_curve_kind kind;
  double s, p;          /* length of the curve up to here; the parameter           */
  const double *values; /* [brink_model_variables]                                 */
  const char *name;     /* the relation that changes, if one does here; else ""    */
} brink_curve_point;

/* What was done so far. */
typedef struct brink_curve_stats {
  long points, folds, branches, switches;
  long f_evals, lu; /* evaluations of the equations, factorisations of their matrix */
  double wall_seconds;
} brink_curve_stats;

typedef struct brink_curve brink_curve; /* opaque */

/* Set the parameter to opt->from, start the simulation at t, and find the solution of
 * its equations at rest from which the curve begins.  The simulation is borrowed: it
 * must outlive the curve and not be used meanwhile.  On failure *out is NULL and the
 * reason in brink_sim_error(sim): BRINK_EARG and BRINK_ENAME about opt, BRINK_EMODEL a
 * model that cannot rest, BRINK_ESOLVE no such solution, and what a start may answer.
 */
BRINK_API brink_status brink_curve_new(brink_sim *sim, double t,
                                       const brink_curve_opts *opt, brink_curve **out);
BRINK_API void brink_curve_free(brink_curve *curve); /* NULL is allowed */

/* The next point, in order; the first is where the curve begins.  BRINK_OK: *point is
 * filled.  BRINK_END: p has reached opt->to.  BRINK_FOLD: it has turned back for good,
 * to opt->from, or (natural) it turns back here.  BRINK_LIMIT: a limit was reached.
 * BRINK_EDOMAIN: the equations have no value beyond, or jump.  BRINK_ESTEP: no step
 * leads on.  In all of these but BRINK_END a sentence is in brink_curve_error.  Does
 * not allocate, but for the factors of large sparse matrices. */
BRINK_API brink_status brink_curve_next(brink_curve *curve, brink_curve_point *point);

BRINK_API brink_curve_stats brink_curve_statistics(const brink_curve *curve);
BRINK_API const brink_err *brink_curve_error(const brink_curve *curve);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_CONTINUE_H */
