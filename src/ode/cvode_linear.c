/* cvode_linear.c -- the linear systems of CVODE's Newton iteration.
 *
 *   small, or with a pattern   (M - gamma J) x = b with J = dF/du as flow.h has it,
 *                              factored as a full matrix (cvode_dense.c), or sparse by
 *                              AMD's order; unknowns of loops are eliminated by the
 *                              factors
 *   large, without a pattern   GMRES, with differences of f for J v (cvode_krylov.c)
 *
 * When J is evaluated and when a matrix is factored anew CVODE decides: it asks for the
 * matrix with a new gamma, and says whether the old J will do.
 */
#include "ode/cvode.h"

#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>

#include "linear/linear.h"
#include "ode/jacobian.h"
#include "ode/tolerance.h"

/* Up to so many unknowns a full matrix is factored: its memory and the evaluations of f
 * for its differences grow with n, its factors with n^3. */
enum { FULL_MOST = 400 };

struct brink__cvode_linear {
  brink_ctx *ctx;
  const brink__cvode_call *call;
  brink__block block;
  brink__pool pool; /* of the symbolic object                                   */
  size_t n, N;      /* states; with the unknowns of loops                       */
  brink__symbolic *sparse; /* NULL: the matrix is full                                */
  brink__numeric numeric;
  brink__jacobian *jacobian;
  double *J;     /* [nnz] dF/du                                                       */
  double *u, *F; /* [N]                                                               */
  double *x;     /* [N] right-hand side, then solution                                */
  double *a;     /* [N][N] the full matrix by columns, then its factors               */
  int *pivot;    /* [N]                                                               */
  int singular;  /* the last matrix has no factors                                    */
  double norm;   /* of J, states in units of their tolerances                         */
  void *cvode;
  N_Vector weight; /* [n] of errors, for differences; NULL: none are taken here */
  SUNMatrix matrix;
  SUNLinearSolver solver;
};

/* ------------------------------------------------------------- matrix ---- */

static SUNMatrix_ID custom(SUNMatrix a)
{
  (void)a;
  return SUNMATRIX_CUSTOM;
}

static SUNLinearSolver_Type direct(SUNLinearSolver s)
{
  (void)s;
  return SUNLINEARSOLVER_DIRECT;
}

/* J at (t, y), where f is known.  Where the flow has neither J nor its pattern, it is
 * taken as CVODE would; if f refuses a point of that, inward. */
static brink_status evaluate(brink__cvode_linear *l, brink__cvode_call *call, double t,
                             const double *y, const double *f)
{
  const brink_flow *flow = call->gate->flow;

  if (l->weight && CVodeGetErrWeights(l->cvode, l->weight) == CV_SUCCESS) {
    brink_status rc =
        brink__cvode_differences(call->gate, t, t - call->t,
                                 N_VGetArrayPointer(l->weight), y, f, l->u, l->F, l->J);
    if (rc != BRINK_EDOMAIN)
      return rc;
  }
  memcpy(l->u, y, l->n * sizeof *y);
  memcpy(l->F, f, l->n * sizeof *f);
  if (flow->n_z > 0) {
    flow->loop_unknowns(flow, l->u + l->n);
    BRINK_TRY(brink__residual(call->gate, t, l->u, l->F));
  }
  return brink__jacobian_at(l->jacobian, call->gate, call->tol, t, l->u, l->F, l->J);
}

/* M - gamma J, where it is factored. */
static void combine(brink__cvode_linear *l, double gamma)
{
  const brink__symbolic *s = l->sparse;
  size_t N = l->N;

  if (s) {
    for (size_t k = 0; k < s->nnz; k++)
      l->numeric.entry[k] =
          (s->row[k] == s->col[k] && (size_t)s->row[k] < l->n ? 1 : 0) -
          gamma * l->J[k];
    return;
  }
  for (size_t k = 0; k < N * N; k++)
    l->a[k] = -gamma * l->J[k];
  for (size_t i = 0; i < l->n; i++)
    l->a[i * N + i] += 1;
}

/* The largest sum of a row of J that belongs to a state, as radau measures it. */
static double norm_of(const brink__cvode_linear *l, const brink__cvode_call *call,
                      const double *y)
{
  const brink__places *p = call->gate->flow->pattern;
  brink__tol loops = *call->tol;
  double *sum = l->x, most = 0;

  loops.atol_i = NULL;
  memset(sum, 0, l->N * sizeof *sum);
  for (size_t k = 0, nnz = brink__jacobian_nnz(call->gate->flow); k < nnz; k++) {
    size_t i = p ? (size_t)p->row[k] : k % l->N, j = p ? (size_t)p->col[k] : k / l->N;
    sum[i] += fabs(l->J[k]) * (j < l->n ? brink__scale(call->tol, j, y[j], y[j])
                                        : brink__scale(&loops, j, l->u[j], l->u[j]));
  }
  for (size_t i = 0; i < l->n; i++)
    most = brink__max(most, sum[i] / brink__scale(call->tol, i, y[i], y[i]));
  return most;
}

static int build(realtype t, N_Vector y, N_Vector f, SUNMatrix a,
                 booleantype old_will_do, booleantype *is_new, realtype gamma,
                 void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
  brink__cvode_call *call = user;
  brink__cvode_linear *l = call->linear;

  (void)a, (void)w1, (void)w2, (void)w3;
  *is_new = !old_will_do;
  if (!old_will_do) {
    brink_status rc =
        evaluate(l, call, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    if (rc != BRINK_OK)
      return rc == BRINK_EUSER ? -1 : 1;
    l->norm = norm_of(l, call, N_VGetArrayPointer(y));
  }
  combine(l, gamma);
  return 0;
}

static int factor(SUNLinearSolver solver, SUNMatrix matrix)
{
  brink__cvode_linear *l = solver->content;

  (void)matrix;
  l->call->gate->factorisations++;
  if (!l->sparse)
    return l->singular = !brink__cvode_factor(l->N, l->a, l->pivot);
  brink_status rc = brink__numeric_factor(l->sparse, &l->numeric);
  l->singular = rc == BRINK_EDOMAIN;
  return rc == BRINK_OK ? 0 : rc == BRINK_ENOMEM ? -1 : 1;
}

/* The rows of loops have no right-hand side: they are satisfied (flow.h). */
static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                 realtype tol)
{
  brink__cvode_linear *l = solver->content;

  (void)matrix, (void)tol;
  l->call->gate->iterations++;
  memcpy(l->x, N_VGetArrayPointer(b), l->n * sizeof *l->x);
  memset(l->x + l->n, 0, (l->N - l->n) * sizeof *l->x);
  if (l->sparse)
    brink__numeric_solve(l->sparse, &l->numeric, l->x);
  else
    brink__cvode_solve(l->N, l->a, l->pivot, l->x);
  memcpy(N_VGetArrayPointer(x), l->x, l->n * sizeof *l->x);
  return 0;
}

/* ------------------------------------------------------- construction ---- */

static int is_large(const brink_flow *flow)
{
  return flow->n + flow->n_z > FULL_MOST &&
         !(flow->pattern && brink__fill_order_here());
}

static brink_status take(brink__cvode_linear *l, const brink_flow *flow)
{
  size_t N = l->N, nnz = brink__jacobian_nnz(flow);
  size_t numeric = l->sparse ? brink__numeric_size(l->sparse) : 0;
  size_t full = l->sparse ? 0 : N, need = 0;

  need = brink__need(need, 1, brink__jacobian_size(flow));
  need = brink__need(need, 1, numeric);
  need = brink__need(need, nnz + 3 * N + full * full, sizeof(double));
  need = brink__need(need, full, sizeof(int));
  BRINK_TRY(brink__block_new(l->ctx, need, &l->block));
  l->jacobian = brink__carve(&l->block, 1, brink__jacobian_size(flow));
  void *memory = brink__carve(&l->block, 1, numeric);
  l->J = brink__carve(&l->block, nnz + 3 * N + full * full, sizeof(double));
  l->pivot = brink__carve(&l->block, full, sizeof(int));
  l->u = l->J + nnz;
  l->F = l->u + N;
  l->x = l->F + N;
  l->a = l->x + N;
  if (l->sparse) {
    l->numeric.ctx = l->ctx;
    brink__numeric_place(l->sparse, &l->numeric, memory);
  }
  brink__jacobian_open(l->jacobian, flow);
  return BRINK_OK;
}

static brink_status make_direct(brink__cvode_linear *l, SUNContext sun, N_Vector y,
                                const brink_flow *flow)
{
  const brink__places *p = flow->pattern;
  int by_differences = !p && !flow->jacobian && flow->n_z == 0;

  l->N = flow->n + flow->n_z;
  if (p)
    BRINK_TRY(brink__symbolic_new(&l->pool, p->n, p->nnz, p->row, p->col, &l->sparse));
  BRINK_TRY(take(l, flow));
  l->matrix = SUNMatNewEmpty(sun);
  l->solver = SUNLinSolNewEmpty(sun);
  l->weight = by_differences ? N_VClone(y) : NULL;
  if (!l->matrix || !l->solver || (by_differences && !l->weight))
    return BRINK_ENOMEM;
  l->matrix->ops->getid = custom;
  l->solver->ops->gettype = direct;
  l->solver->ops->setup = factor;
  l->solver->ops->solve = solve;
  l->solver->content = l;
  return BRINK_OK;
}

static int attach(const brink__cvode_linear *l)
{
  if (CVodeSetLinearSolver(l->cvode, l->solver, l->matrix))
    return 0;
  return l->matrix ? CVodeSetLinSysFn(l->cvode, build) == 0
                   : brink__cvode_krylov_attach(l->cvode);
}

brink_status brink__cvode_linear_new(brink_ctx *ctx, SUNContext sun, void *cvode,
                                     N_Vector y, const brink_flow *flow,
                                     brink__cvode_call *call)
{
  brink__cvode_linear *l = brink__alloc(ctx, sizeof *l);
  brink_status rc = l ? BRINK_OK : BRINK_ENOMEM;

  call->linear = l;
  if (l) {
    *l = (brink__cvode_linear){
        .ctx = ctx, .call = call, .n = flow->n, .pool = {.ctx = ctx}, .cvode = cvode};
    rc = is_large(flow)
             ? brink__cvode_krylov_new(ctx, sun, y, flow, &call->krylov, &l->solver)
             : make_direct(l, sun, y, flow);
    if (rc == BRINK_OK && !attach(l))
      rc = BRINK_ENOMEM;
  }
  if (rc == BRINK_ENOMEM)
    brink__fail(&ctx->err, rc, "out of memory: the linear systems of method 'cvode'");
  return rc;
}

double brink__cvode_linear_norm(const brink__cvode_linear *l) { return l->norm; }

int brink__cvode_linear_is_singular(const brink__cvode_linear *l)
{
  return l->singular;
}

void brink__cvode_linear_forget(brink__cvode_linear *l, const brink_flow *flow)
{
  brink__numeric_drop(&l->numeric);
  if (l->jacobian)
    brink__jacobian_open(l->jacobian, flow);
}

void brink__cvode_linear_free(brink__cvode_call *call)
{
  brink__cvode_linear *l = call->linear;

  brink__cvode_krylov_free(call->krylov);
  if (!l)
    return;
  if (l->matrix) {
    SUNMatFreeEmpty(l->matrix);
    SUNLinSolFreeEmpty(l->solver);
  } else if (l->solver) {
    SUNLinSolFree(l->solver);
  }
  if (l->weight)
    N_VDestroy(l->weight);
  brink__numeric_drop(&l->numeric);
  brink__pool_drop(&l->pool);
  brink__block_drop(&l->block);
  brink__free(l->ctx, l, sizeof *l);
}
