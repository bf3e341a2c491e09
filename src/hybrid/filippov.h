/* hybrid/filippov.h -- what the law of sliding and the decision about it share. */
#ifndef BRINK_FILIPPOV_H
#define BRINK_FILIPPOV_H

#include "hybrid/extended_model.h"

enum { BRINK__SLIDING_SURFACES = 2 }; /* there is no law for more */

/* Laws that agree up to this part are one: far above the rounding of any law, far below
 * what a switch changes. */
#define BRINK__SAME_LAW 1e-9

/* Holds its guards at zero; and: blends the laws of the sides over a layer; and: the
 * law where nothing slides, on faces alone. */
extern const brink__law brink__sliding_law, brink__regularized_law, brink__contact_law;

/* Rates r[side][surface] of n surfaces along the laws of all sides: the derivative of
 * the leading guards of the order in which the laws differ.  leader: the guards' holds.
 * 0: a law or a guard has no value at (t, y). */
int brink__sliding_rates(brink__extended *x, const brink__hold *const *leader, int n,
                         double t, const double *y,
                         double r[][BRINK__SLIDING_SURFACES]);

/* The weight, per surface, of the sides across it; 0: there are none.  order: of the
 * first surface. */
int brink__sliding_weights(double r[][BRINK__SLIDING_SURFACES], int n, int order,
                           const brink__hold *hold, double *weight);

/* A direction in the space of n states in which no two different surfaces are alike. */
void brink__some_direction(size_t n, double *d);

/* The part that side i of n surfaces has with these weights. */
double brink__side_share(const double *weight, int n, int i);

/* How far a weight is outside [0, 1]. */
double brink__weight_outside(double a);

/* The law of these weights, of what the sides have in x->side[i].f. */
void brink__sliding_mix(const brink__extended *x, const double *weight, int n,
                        double *f);

/* Move y along the differences of the laws, in f of the sides, so that the guards of n
 * surfaces change by off, to first order; 0: that is impossible. */
int brink__sliding_move(const brink__extended *x, double r[][BRINK__SLIDING_SURFACES],
                        int n, const double *off, double *y);

/* ---------------------------------------------------------- surfaces.c ---- */

/* The gradient of guard k of side 0, out [n]; d [n]: scratch. */
int brink__guard_gradient(brink__extended *x, int k, double t, const double *y,
                          double *d, double *out);

/* Move y along the gradient of guard k of side 0, which is left in d, to where it is
 * between a quarter of the level and four of it, or as near to 0 as it comes if that is
 * the level, into out.  0: that does not succeed. */
int brink__move_to_level(brink__extended *x, int k, double level, double t,
                         const double *y, double *d, double *out);

/* ----------------------------------------------------- second_order.c ---- */

/* A rate that counts as slow, beside the law: about the default tolerance, which a step
 * may leave of a rate that is 0.  So slow a guard is looked at by its second
 * derivative.
 */
#define BRINK__SLOW_RATE 0x1p-20

/* Is the rate of a guard so small beside the law f [n] that it may stand still? */
static inline int brink__is_slow(double rate, const double *f, size_t n)
{
  double size = 0;

  for (size_t i = 0; i < n; i++)
    size = brink__max(size, fabs(f[i]));
  return fabs(rate) <= BRINK__SLOW_RATE * size;
}

/* Does the law of side 0 stand on guard k of that side, which is zero and moves at the
 * rate `rate`, and lead across it in second order?  0: no, or an unknown number. */
int brink__leads_across_later(brink__extended *x, int k, double t, const double *y,
                              double rate);

/* The derivative of L_f g, along the zero of the guard g that is held, by the law that
 * side i has in its f; f is the law of side 0 without reactions.  0: it has no value.
 */
int brink__second_rate(brink__extended *x, int i, const brink__hold *hold, double t,
                       const double *y, double *rate);

/* The weights of n surfaces, of which the first is of second order and the second is
 * that of its derivative; 0: there are none. */
int brink__second_order_weights(double r[][BRINK__SLIDING_SURFACES], int n,
                                double *weight);

/* Put y onto the zero of the guard and of its derivative; as flow.project. */
int brink__second_order_project(brink__extended *x, const brink__hold *hold, double t,
                                double *y);

/* A switch of second order whose laws have a root of the guard is left to side i: put y
 * beside the zero, where the law of that side stands, as its solution does that leaves:
 * on the zero itself the root has no derivative. */
void brink__leave_root(brink__extended *x, const brink__hold *hold, int i, double t,
                       double *y);

/* The direction in which the switch moves the law of side 0: as brink__read_reset. */
int brink__switch_direction(brink__extended *x, struct brink__contacts *c,
                            const brink__hold *hold, double t, const double *y,
                            double *d);

/* Half the width of the layer of the regularized law about the zero of guard k, in
 * units of the guard. */
double brink__sliding_width(brink_sim *sim, int k);

#endif /* BRINK_FILIPPOV_H */
