/* ode/tolerance.h -- tolerances in the form that error norms need. */
#ifndef BRINK_TOLERANCE_H
#define BRINK_TOLERANCE_H

#include <float.h>
#include <math.h>
#include <stddef.h>

typedef struct brink__tol {
  double rtol;
  double atol;          /* used where atol_i is NULL */
  const double *atol_i; /* [n] or NULL               */
  double part;          /* of them to be kept; 0: 1  */
} brink__tol;

/* atol_i + rtol * max(|a|, |b|), or the part of it that is asked for; never zero: what
 * is zero and has no error is as accurate as anybody may ask */
static inline double brink__scale(const brink__tol *tol, size_t i, double a, double b)
{
  double m = fabs(a), mb = fabs(b);

  if (mb > m)
    m = mb;
  double scale = (tol->atol_i ? tol->atol_i[i] : tol->atol) + tol->rtol * m;
  if (tol->part > 0)
    scale *= tol->part;
  return scale > DBL_MIN ? scale : DBL_MIN;
}

#endif /* BRINK_TOLERANCE_H */
