/* continuation/continuation.h -- a curve of solutions of F(z, p) = 0.
 *
 * F are the equations of a text model at rest, z its n continuous variables.  A point
 * of the curve is x = (z, p); column n of every matrix belongs to p.
 */
#ifndef BRINK_CONTINUATION_H
#define BRINK_CONTINUATION_H

#include "brink/continue.h"
#include "clause/clause.h"
#include "linear/linear.h"

/* ------------------------------------------------------ rest_system.c ---- */

/* The equations at rest, compiled into memory of their own: the model never changes. */
typedef struct rest_system {
  brink_ctx *ctx;
  brink__pool pool;
  const dae_live *live; /* of the simulation, as its start has left it               */
  const dae_model *m;
  brink__flat flat; /* that of the model, with a graph of its own                   */
  size_t n;
  int32_t *unknown, *var; /* [n] symbols; index in flat.vars                        */
  int32_t p;              /* symbol                                                 */
  brink__row *rows;       /* [n] the equations as written                           */
  brink__node *residual;  /* [n] left - right, at rest                              */
  brink__tape *f;         /* roots: the residuals                                   */
  brink__tape *jacobian;  /* roots: their derivatives, entries 0 .. n_df - 1        */
  size_t n_df, nnz;
  int32_t *row, *col; /* [nnz] row n of the matrix borders it ...                   */
  size_t border;      /* ... and this is its first entry                            */
  size_t *by_p;       /* [n] entries of the column of p                             */
  brink__symbolic *pattern;

  /* -- relations and stairs that the equations depend on and the curve moves -- */
  size_t n_relations, n_stairs;
  int *relation, *stair; /* index in the model                                      */
  brink__tape *guards;   /* roots: left - right of relations, arguments of stairs   */

  size_t n_slots; /* of the largest tape                                            */
} rest_system;

/* BRINK_EMODEL, BRINK_EARG with a sentence: the model cannot rest, or not over p. */
brink_status brink__rest_system(brink_ctx *ctx, const dae_live *live, int32_t p,
                                rest_system *out, brink_err *err);
void brink__rest_system_drop(rest_system *s);

/* --------------------------------------------------------------- path.c -- */

/* A curve while it is followed. */
typedef struct path {
  const rest_system *sys;
  double *v;       /* [n_slots] values of the symbols                               */
  double *x, *x0;  /* [n + 1] the present point; the last one                       */
  double *d, *d0;  /* [n + 1] direction there: of length 1 in ...                   */
  double *unit;    /* [n + 1] ... units: those of x0                                */
  double *x1, *d1; /* [n + 1] the end of the step that is looked at                 */
  double h1;       /* its length                                                    */
  double *border;  /* [n + 1] last row of the matrix, in units                      */
  double *r;       /* [n + 1] residual, then correction in units                    */
  double *start;   /* [n] Newton's homotopy: residuals where it begins; else NULL   */
  double p_held;   /* ... and the parameter                                         */
  double p_unit;
  int natural;     /* p is held while a step is corrected                           */
  int sign, sign0; /* of the determinant at x, x0, with the direction as border     */
  brink__numeric factors;
  long f_evals, lu;
  brink__node culprit; /* the operation without a value in the last evaluation      */
} path;

/* Values of the variables that a result shows, at a point z. */
void brink__path_show(path *w, const double *z, double *values);

/* Evaluate F at x: 1, or 0 and culprit. */
int brink__path_evaluate(path *w);

/* Newton's method for F = 0 at fixed p, from w->x, damped.  1: solved. */
int brink__path_solve(path *w);

/* Correct x in the plane across the direction d0, or (hold) with p as it is; h: length
 * of the step, and so how long a correction may be. */
int brink__path_correct(path *w, double h, int hold);

/* The direction of the curve at x, as far as possible in the sense of `like` (NULL:
 * towards larger p), into w->d.  0: there is none. */
int brink__path_direction(path *w, const double *like);

/* x and d at the point to which a step of this length from x0 leads.  again: a part of
 * the step that path_span has been told of.  0: there is none. */
int brink__path_point(path *w, double h, int again);

/* The step from x0 to x, of length h, is good: its parts are looked at next. */
void brink__path_span(path *w, double h);

/* Is x on the same curve as x0, a step h behind it?  *angle between the directions. */
int brink__path_is_near(const path *w, double h, double *angle);

/* x is the last point now; then: units at x, of which path_keep takes care. */
void brink__path_keep(path *w);
void brink__path_measure(path *w);

/* ----------------------------------------------------------- curve_switches.c -- */

/* Values of the relations and stairs, and of the discrete variables that follow from
 * them, as they are at x; how many relations and stairs have changed. */
int brink__switches_update(path *w);

static inline size_t path_switches(const path *w)
{
  return w->sys->n_relations + w->sys->n_stairs;
}

/* Guard k of the relations and stairs at x: negative where the value has to change. */
double brink__switch_guard(path *w, size_t k);

/* Give it the value that it has beyond its zero; its text and line. */
void brink__switch_flip(path *w, size_t k);
const char *brink__switch_text(const path *w, size_t k, int *line);

/* ----------------------------------------------------- special_points.c -- */

/* What one step can meet: a branch point, two folds, its end, which may be two points.
 */
enum { CURVE_SPECIAL = 5 };

typedef struct special_point {
  brink_curve_kind kind;
  double h;       /* how far along the step                                          */
  double *x;      /* [n + 1]                                                         */
  double *values; /* [variables of the model]                                       */
} special_point;

typedef struct special_points {
  special_point at[CURVE_SPECIAL]; /* in order                                      */
  int n;
  double *xa, *xb; /* [n + 1] scratch: both sides of what is located                */
} special_points;

/* One more, in its place. */
special_point *brink__add_special_point(path *w, special_points *found,
                                        brink_curve_kind kind, double h,
                                        const double *x);

/* Where on the step from x0 to x, of length *h, is the first switch?  -1: nowhere.
 * Otherwise its number, with x and d there, and *h up to there. */
int brink__first_switch(path *w, special_points *found, double *h);

/* Folds and branch points on the step from x0 to x, of length h.  x and d are
 * scratch then. */
void brink__find_special_points(path *w, special_points *found, double h);

/* The point between a and b on the step, at which p has this value, with p exactly
 * that; a and b are on either side of it.  0: it is not found. */
int brink__find_p(path *w, special_points *found, double a, double b, double p);

#endif /* BRINK_CONTINUATION_H */
