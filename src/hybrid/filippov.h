/* hybrid/filippov.h -- what the law of sliding and the decision about it share. */
#ifndef BRINK_FILIPPOV_H
#define BRINK_FILIPPOV_H

#include "hybrid/extended_model.h"

enum { BRINK__SLIDING_SURFACES = 2 }; /* there is no law for more */

/* Holds its guards at zero; and: blends the laws of the sides over a layer; and: the
 * law where nothing slides, on faces alone. */
extern const brink__law brink__sliding_law, brink__regularized_law, brink__contact_law;

/* Rates r[side][surface] of the leading guards `guard` along the laws of all sides of n
 * surfaces.  0: a law or a guard has no value at (t, y). */
int brink__sliding_rates(brink__extended *x, const int *guard, int n, double t,
                         const double *y, double r[][BRINK__SLIDING_SURFACES]);

/* The weight, per surface, of the sides across it; 0: there are none. */
int brink__sliding_weights(double r[][BRINK__SLIDING_SURFACES], int n, double *weight);

/* The part that side i of n surfaces has with these weights. */
double brink__side_share(const double *weight, int n, int i);

/* How far a weight is outside [0, 1]. */
double brink__weight_outside(double a);

/* The law of these weights, of what the sides have in x->side[i].f. */
void brink__sliding_mix(const brink__extended *x, const double *weight, int n,
                        double *f);

/* Half the width of the layer of the regularized law, in units of the guard. */
double brink__sliding_width(const brink_sim *sim);

#endif /* BRINK_FILIPPOV_H */
