/* cvode_krylov.c -- large systems without a pattern: GMRES with differences of f for
 * J v, and a band of I - gamma J as preconditioner where J is about that band [HBGL05].
 *
 * Whether it is tells one difference more, along a direction that moves all states: J d
 * as the band has it is compared with what f says.  Differences of all states of a
 * group at once put what lies outside of the band into wrong places of it: on grids of
 * two dimensions such a band makes five times as many steps as none.
 */
#include "ode/cvode.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "ode/jacobian_inner.h"

/* Half bandwidth: what the places of a line and their neighbours have in common if up
 * to three unknowns of a place are stored one after the other; and the size of a row.
 */
enum { HALF_BAND = 3, WIDTH = 2 * HALF_BAND + 1 };

/* Vectors of GMRES.  Diffusion on a square of 100 x 100 places takes about 15; with
 * CVODE's five, steps are as short as the iteration wants them. */
enum { VECTORS = 30 };

/* The band is used where it misses less than this part of what f does. */
static const double MISSED = 0.25;

/* Factors without row exchanges: pivots must be above this part of their row. */
static const double LEAST_PIVOT = 1e-3;

struct brink__cvode_krylov {
  brink_ctx *ctx;
  size_t n;
  int used;        /* the factors precondition                                        */
  int about;       /* J is about the band                                             */
  double *J;       /* [n][WIDTH] column i + k - HALF_BAND of row i                    */
  double *factors; /* [n][WIDTH]                                                      */
  double *at, *f1; /* [n] work                                                        */
  double *delta;   /* [n] increments                                                  */
};

/* --------------------------------------------------------------- band ---- */

/* J by differences, states WIDTH apart together. */
static brink_status band(brink__cvode_krylov *k, brink__gate *gate, double t,
                         const double *y, const double *f)
{
  for (size_t group = 0; group < WIDTH; group++) {
    memcpy(k->at, y, k->n * sizeof *y);
    for (size_t j = group; j < k->n; j += WIDTH)
      k->at[j] += k->delta[j];
    BRINK_TRY(brink__f(gate, t, k->at, k->f1));
    for (size_t j = group; j < k->n; j += WIDTH) {
      size_t first = j > HALF_BAND ? j - HALF_BAND : 0;
      for (size_t i = first; i < k->n && i <= j + HALF_BAND; i++)
        k->J[i * WIDTH + (j + HALF_BAND - i)] = (k->f1[i] - f[i]) / (k->at[j] - y[j]);
    }
  }
  return BRINK_OK;
}

/* Row i of the band times v. */
static double row_times(const brink__cvode_krylov *k, size_t i, const double *v)
{
  double sum = 0;

  for (size_t c = 0; c < WIDTH; c++)
    if (i + c >= HALF_BAND && i + c - HALF_BAND < k->n)
      sum += k->J[i * WIDTH + c] * v[i + c - HALF_BAND];
  return sum;
}

/* Does f change as the band says where all states move, some up and some down? */
static brink_status compare(brink__cvode_krylov *k, brink__gate *gate, double t,
                            const double *y, const double *f)
{
  uint64_t random = 0x9e3779b97f4a7c15u;
  double change = 0, missed = 0;

  for (size_t i = 0; i < k->n; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    k->delta[i] *= random >> 63 ? 1 : -1;
    k->at[i] = y[i] + k->delta[i];
  }
  BRINK_TRY(brink__f(gate, t, k->at, k->f1));
  for (size_t i = 0; i < k->n; i++) {
    change += fabs(k->f1[i] - f[i]);
    missed += fabs(k->f1[i] - f[i] - row_times(k, i, k->delta));
  }
  k->about = missed <= MISSED * change;
  return BRINK_OK;
}

static brink_status evaluate(brink__cvode_krylov *k, const brink__cvode_call *call,
                             double t, const double *y, const double *f)
{
  for (size_t i = 0; i < k->n; i++)
    k->delta[i] = brink__jacobian_increment(call->tol, call->gate->flow, i, y[i]);
  k->about = 0;
  BRINK_TRY(band(k, call->gate, t, y, f));
  return compare(k, call->gate, t, y, f);
}

/* I - gamma J = L U; 0: not without row exchanges. */
static int factor(brink__cvode_krylov *k, double gamma)
{
  for (size_t i = 0; i < k->n; i++) {
    double *row = k->factors + i * WIDTH, largest = 0;
    for (size_t c = 0; c < WIDTH; c++) {
      row[c] = (c == HALF_BAND) - gamma * k->J[i * WIDTH + c];
      largest = fmax(largest, fabs(row[c]));
    }
    for (size_t c = i < HALF_BAND ? HALF_BAND - i : 0; c < HALF_BAND; c++) {
      const double *above = k->factors + (i + c - HALF_BAND) * WIDTH;
      row[c] /= above[HALF_BAND];
      for (size_t m = 1; m <= HALF_BAND; m++)
        row[c + m] -= row[c] * above[HALF_BAND + m];
    }
    if (!(fabs(row[HALF_BAND]) > LEAST_PIVOT * largest))
      return 0;
  }
  return 1;
}

static void solve(const brink__cvode_krylov *k, double *x)
{
  for (size_t i = 0; i < k->n; i++) {
    const double *row = k->factors + i * WIDTH;
    for (size_t c = i < HALF_BAND ? HALF_BAND - i : 0; c < HALF_BAND; c++)
      x[i] -= row[c] * x[i + c - HALF_BAND];
  }
  for (size_t i = k->n; i-- > 0;) {
    const double *row = k->factors + i * WIDTH;
    for (size_t m = 1; m <= HALF_BAND && i + m < k->n; m++)
      x[i] -= row[HALF_BAND + m] * x[i + m];
    x[i] /= row[HALF_BAND];
  }
}

/* ---------------------------------------------------------- callbacks ---- */

static int set_up(realtype t, N_Vector y, N_Vector f, booleantype old_will_do,
                  booleantype *is_new, realtype gamma, void *user)
{
  const brink__cvode_call *call = user;
  brink__cvode_krylov *k = call->krylov;

  *is_new = !old_will_do;
  if (!old_will_do &&
      evaluate(k, call, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f)) == BRINK_EUSER)
    return -1;
  k->used = k->about && factor(k, gamma);
  return 0;
}

static int precondition(realtype t, N_Vector y, N_Vector f, N_Vector r, N_Vector z,
                        realtype gamma, realtype delta, int left, void *user)
{
  const brink__cvode_krylov *k = ((const brink__cvode_call *)user)->krylov;

  (void)t, (void)y, (void)f, (void)gamma, (void)delta, (void)left;
  memcpy(N_VGetArrayPointer(z), N_VGetArrayPointer(r), k->n * sizeof(double));
  if (k->used)
    solve(k, N_VGetArrayPointer(z));
  return 0;
}

/* ------------------------------------------------------- construction ---- */

static size_t numbers(size_t n) { return (2 * WIDTH + 3) * n; }

brink_status brink__cvode_krylov_new(brink_ctx *ctx, SUNContext sun, N_Vector y,
                                     const brink_flow *flow, brink__cvode_krylov **out,
                                     SUNLinearSolver *solver)
{
  size_t n = flow->n, need = brink__need(0, 1, sizeof **out);
  char *memory = brink__alloc(ctx, need + numbers(n) * sizeof(double));
  brink__cvode_krylov *k = (void *)memory;

  *out = k;
  if (!k)
    return BRINK_ENOMEM;
  double *v = (void *)(memory + need);
  *k = (brink__cvode_krylov){.ctx = ctx, .n = n, .J = v, .factors = v + WIDTH * n};
  k->at = k->factors + WIDTH * n;
  k->f1 = k->at + n;
  k->delta = k->f1 + n;
  memset(k->J, 0, WIDTH * n * sizeof *k->J);
  *solver = SUNLinSol_SPGMR(y, SUN_PREC_LEFT, VECTORS, sun);
  return *solver ? BRINK_OK : BRINK_ENOMEM;
}

int brink__cvode_krylov_attach(void *cvode)
{
  return CVodeSetPreconditioner(cvode, set_up, precondition) == 0;
}

void brink__cvode_krylov_free(brink__cvode_krylov *k)
{
  if (k)
    brink__free(k->ctx, k,
                brink__need(0, 1, sizeof *k) + numbers(k->n) * sizeof(double));
}
