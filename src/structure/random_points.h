/* structure/random_points.h -- is an expression zero whatever the values of its
 * symbols?
 *
 * All nodes of a graph are evaluated at a few random points, with a bound of the
 * rounding of each value.  What is zero within rounding at all points where it has a
 * value is taken to be zero identically: an analytic function that is not vanishes on a
 * set of measure zero.  Nothing is said of expressions with branches that are not
 * decided (if, abs, min, floor, relations), of which the points may see one only.
 *
 * Values are near what the symbols are said to be `around`, since functions like log
 * and sqrt may have no value elsewhere; how near differs from point to point.
 */
#ifndef BRINK_RANDOM_POINTS_H
#define BRINK_RANDOM_POINTS_H

#include "expr/expr.h"

enum { BRINK__POINTS = 6 };

/* Where a symbol has the value that it is said to be around: nowhere; everywhere (a
 * flag of the run); at every other point, the first one among them (a parameter). */
enum { BRINK__FREE, BRINK__EXACT, BRINK__EXACT_AT_EVEN };

typedef struct brink__random_points {
  brink_ctx *ctx;
  brink__graph *graph;
  const double *around;       /* [n_symbols] NaN: not known                           */
  const unsigned char *exact; /* [n_symbols] BRINK__EXACT ...                         */
  size_t n_symbols;           /* others may have any value                            */
  unsigned char *kind;     /* [nodes + 1] what is known of it: random_points.c      */
  size_t n_kind, cap_kind; /* nodes that have one                                  */
  double *value[BRINK__POINTS]; /* [nodes + 1] NaN: it has none */
  double *error[BRINK__POINTS]; /* [nodes + 1] bound of its rounding, in epsilons */
  size_t done[BRINK__POINTS]; /* nodes that have been evaluated                       */
  size_t cap_value[BRINK__POINTS], cap_error[BRINK__POINTS];
} brink__random_points;

void brink__random_points_drop(brink__random_points *r); /* a zeroed one is allowed */

/* Evaluate the nodes that are new at point p. */
brink_status brink__random_points_update(brink__random_points *r, int p);

/* At a point that is up to date: is the value of the node zero within rounding? */
int brink__random_points_zero(const brink__random_points *r, int p, brink__node n);

/* Has the expression branches, or jumps and kinks, that are not decided? */
brink_status brink__random_points_branches(brink__random_points *r, brink__node n,
                                           int *yes);

/* Is the sum of nodes zero at all points, and has it a value at one of them?  A sum
 * that cancels is to be given by its terms: what is left of it may be a number, which
 * does not tell that it is rounding. */
brink_status brink__random_points_vanishes(brink__random_points *r, size_t n,
                                           const brink__node *term, int *yes);

#endif /* BRINK_RANDOM_POINTS_H */
