/* ode/rk.h -- what the methods share, above all the explicit Runge-Kutta methods.
 *
 * All of them evaluate f at the accepted end point: it is the first stage of the
 * next step, and it makes the step polynomial C1.  So every state begins alike: the
 * flags, then the first stage k0, and a method may go on where another left off
 * (auto_rk.c).
 */
#ifndef BRINK_RK_H
#define BRINK_RK_H

#include "ode/method.h"

#include <math.h>

/* auto-rk, just opened, begins with dop853: for whoever wants its first step to be
 * better than the tolerance asks for. */
void brink__auto_rk_from_top(void *state);

/* Entries of a method that has nothing to do there; in methods.c. */
brink_status brink__open_nothing(void *state, brink_ctx *ctx, const brink_flow *flow,
                                 const brink_integrator_opts *opt);
void brink__close_nothing(void *state);
void brink__ended_nothing(void *state, double t);
brink_status brink__copy_state(void *to, const void *from, const brink_flow *flow,
                               size_t size);
int brink__predict_nothing(void *state, size_t n, double t, double h, const double *y,
                           double *coeff);
brink_status brink__dense_nothing(void *state, brink__gate *gate, double t, double h,
                                  const double *y);
brink_status brink__begin_nothing(void *state, brink__gate *gate, const brink__tol *tol,
                                  double t, const double *y, double *h);
const brink_method *brink__acting_itself(const void *state);
double brink__next_by_controller(const void *state);

/* The entries of a method's table that all of them share. */
#define BRINK__RK_SHARED                                                               \
  .open = brink__open_nothing, .close = brink__close_nothing,                          \
  .copy = brink__copy_state, .start = brink__rk_start, .begin = brink__begin_nothing,  \
  .moved = brink__rk_moved, .ended = brink__ended_nothing,                             \
  .predict = brink__predict_nothing, .acting = brink__acting_itself,                   \
  .next_step = brink__next_by_controller

typedef struct brink__rk {
  int have_first; /* k0 = f(t, y) is there                                     */
  int have_last;  /* f at the candidate is there                               */
  int have_dense; /* the stages that only the polynomial needs are there       */
  double work[];  /* k0: [n], then as the method likes                         */
} brink__rk;

/* out = y + h * sum for every equation, where sum is an expression in q, the first
 * stage at this equation: stage j is q[j * n].  Two at a time, which compilers turn
 * into vectors.  The sums are written out by the methods: for small n a loop over j
 * costs more than the sum. */
#define BRINK__RK_EACH(sum)                                                            \
  for (size_t m = 0; m < n; m += 2) {                                                  \
    const double *q = k + m;                                                           \
    double even = sum;                                                                 \
    if (m + 1 == n) {                                                                  \
      out[m] = y[m] + h * even;                                                        \
      break;                                                                           \
    }                                                                                  \
    q++;                                                                               \
    double odd = sum;                                                                  \
    out[m] = y[m] + h * even;                                                          \
    out[m + 1] = y[m + 1] + h * odd;                                                   \
  }                                                                                    \
  break

static inline void brink__rk_start(void *state, size_t n)
{
  brink__rk *s = state;

  (void)n;
  s->have_first = s->have_last = s->have_dense = 0;
}

/* f at the point where the next step begins. */
static inline void brink__rk_moved(void *state, size_t n, const double *f)
{
  brink__rk *s = state;

  for (size_t m = 0; m < n; m++)
    s->work[m] = f[m];
  s->have_first = 1;
}

/* The first stage: free after an accepted step or a rejected attempt. */
static inline brink_status brink__rk_first(brink__rk *s, brink__gate *gate, double t,
                                           const double *y)
{
  s->have_last = s->have_dense = 0;
  if (s->have_first)
    return BRINK_OK;
  brink_status rc = brink__f(gate, t, y, s->work);
  s->have_first = rc == BRINK_OK;
  return rc;
}

/* f at the candidate y1, once per attempt. */
static inline brink_status brink__rk_last(brink__rk *s, brink__gate *gate, double t1,
                                          const double *y1, double *k)
{
  if (s->have_last)
    return BRINK_OK;
  brink_status rc = brink__f(gate, t1, y1, k);
  s->have_last = rc == BRINK_OK;
  return rc;
}

/* The last stage becomes the first of the next step. */
static inline void brink__rk_rotate(brink__rk *s, size_t n, const double *last)
{
  for (size_t m = 0; m < n; m++)
    s->work[m] = last[m];
  s->have_first = s->have_last;
  s->have_last = s->have_dense = 0;
}

/* |h| |ka - kb| / |ya - yb| where ka, kb are f at (t1, ya), (t1, yb): an estimate of
 * |h lambda| for the dominant eigenvalue, [HW96, IV.2]. */
static inline double brink__rk_ratio(size_t n, double h, const double *ka,
                                     const double *kb, const double *ya,
                                     const double *yb)
{
  double num = 0, den = 0;

  for (size_t m = 0; m < n; m++) {
    num += (ka[m] - kb[m]) * (ka[m] - kb[m]);
    den += (ya[m] - yb[m]) * (ya[m] - yb[m]);
  }
  return den > 0 ? fabs(h) * sqrt(num / den) : 0;
}

/* The cubic with values y, y1 and slopes f0, f1 (per t) at the two ends: nested, as
 * y + th(rise + u(bend + th skew)) with u = 1 - th, the small parts are differences of
 * neighbours; then multiplied out. */
static inline int brink__rk_cubic(size_t n, double h, const double *y, const double *y1,
                                  const double *f0, const double *f1, double *coeff)
{
  for (size_t m = 0; m < n; m++, coeff += 4) {
    double first = h * f0[m], rise = y1[m] - y[m], bend = first - rise;
    double skew = rise - h * f1[m] - bend;
    coeff[0] = y[m];
    coeff[1] = first;
    coeff[2] = skew - bend;
    coeff[3] = -skew;
  }
  return 3;
}

/* One state of that cubic plus r th^2 (1 - th)^2: all quartics with these ends. */
static inline void brink__rk_quartic(double y, double y1, double first, double last,
                                     double r, double *coeff)
{
  double rise = y1 - y, bend = first - rise, skew = rise - last - bend;

  coeff[0] = y;
  coeff[1] = first;
  coeff[2] = skew + r - bend;
  coeff[3] = -skew - 2 * r;
  coeff[4] = r;
}

#endif /* BRINK_RK_H */
