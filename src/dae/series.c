/* series.c -- Taylor series of what a program computes, along the solution.
 *
 * Order by order, in theta = (time - t)/h: coefficient k of every step of the program
 * from coefficients 0 .. k of what it reads; then x_{k+1} = h f_k / (k + 1) for each
 * state.  Order 0 is the program itself.
 *
 * A loop F(z, ...) = 0 gives its unknowns implicitly.  In coefficient k of F the
 * unknown z_k occurs linearly, with the Jacobian at the point as its matrix: with z_k =
 * 0 the residual is r_k, and z_k = -F_z^-1 r_k.  So all orders share one factorisation.
 *
 * The temporaries of one order are read by the next, so every tape of a program has
 * slots of its own (program.c), and all share one array with the symbols.
 *
 * Cost: order^2/2 products for each product of the program.
 */
#include "dae/model.h"

/* The memory of one expansion: a row of symbols and slots for each order. */
typedef struct expansion {
  dae_live *live;
  const dae_program *program;
  size_t n_rows; /* order + 1                                                     */
  size_t width;  /* slots of a row                                                */
  double *c;     /* [n_rows][width]                                               */
} expansion;

static const brink__tape *tape_of(const dae_step *s)
{
  return s->loop ? s->loop->residual : s->tape;
}

static size_t width_of(const dae_program *p)
{
  size_t n = 0;

  for (size_t i = 0; i < p->n_steps; i++)
    n = brink__zmax(n, brink__tape_slots(tape_of(&p->steps[i])));
  return n;
}

size_t brink__dae_series_size(const dae_model *m, const dae_program *p, int order)
{
  return brink__zmax(width_of(p), m->n_symbols) * ((size_t)order + 1) * sizeof(double);
}

static expansion expansion_of(dae_live *live, const dae_program *p, int order,
                              void *work)
{
  return (expansion){.live = live,
                     .program = p,
                     .n_rows = (size_t)order + 1,
                     .width = brink__zmax(width_of(p), live->m->n_symbols),
                     .c = work};
}

static double *row_of(const expansion *x, int k) { return x->c + (size_t)k * x->width; }

static const int32_t *inputs_of(const dae_step *s, size_t *n)
{
  *n = s->loop ? s->loop->n_input : s->n_input;
  return s->loop ? s->loop->input : s->input;
}

/* Coefficient k of what a step computes; 0: there is none, and why is remembered. */
static int expand(const expansion *x, const dae_step *s, int k)
{
  brink__node culprit = BRINK__NONE;

  if (brink__tape_jet_rows(tape_of(s), k, x->width, x->c, &culprit) == BRINK_OK)
    return 1;
  x->live->fault = (dae_fault){s, culprit, DAE_FAULT_SERIES, -1};
  return 0;
}

/* --------------------------------------------------------------- loops --- */

/* Coefficient k of the unknowns; those below are there. */
static int solve(const expansion *x, const dae_step *s, int k)
{
  const dae_loop *loop = s->loop;
  double *r = x->live->r, *row = row_of(x, k);

  for (size_t i = 0; i < loop->n; i++)
    row[loop->symbol[i]] = 0;
  if (!expand(x, s, k))
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    r[i] = row[brink__tape_slot(loop->residual, i)];
  if (!brink__dae_loop_solve(x->live, s, k > 1)) /* the matrix is that of order 0 */
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    row[loop->symbol[i]] = -r[i];
  /* once more, so that the temporaries of the next orders are those of the solution */
  return expand(x, s, k);
}

/* --------------------------------------------------------------- orders -- */

/* Order 0: the values that the program has just left in live->v. */
static int begin(expansion *x)
{
  const dae_program *p = x->program;

  for (size_t i = 0; i < p->n_steps; i++) {
    size_t n;
    const int32_t *in = inputs_of(&p->steps[i], &n);
    for (size_t k = 0; k < n; k++)
      x->c[in[k]] = x->live->v[in[k]];
    if (!expand(x, &p->steps[i], 0))
      return 0;
  }
  return 1;
}

/* Order k >= 1 of every step; that of time and states is there. */
static int advance(expansion *x, int k)
{
  const dae_program *p = x->program;

  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_step *s = &p->steps[i];
    if (!(s->loop ? solve(x, s, k) : expand(x, s, k)))
      return 0;
  }
  return 1;
}

/* Coefficient k of time and of the states, from coefficient k - 1 of the derivatives.
 */
static void integrate(expansion *x, int k, double h, double *out)
{
  const dae_model *m = x->live->m;
  double *row = row_of(x, k), *before = row_of(x, k - 1);

  row[BRINK__TIME] = k == 1 ? h : 0;
  for (size_t i = 0; i < m->n_states; i++) {
    double c = h * before[m->der_symbol[i]] / k;
    out[i * x->n_rows + (size_t)k] = row[m->state_symbol[i]] = c;
  }
}

/* The same from series of the states that are given. */
static void follow(expansion *x, int k, double h, const double *states)
{
  const dae_model *m = x->live->m;
  double *row = row_of(x, k);

  row[BRINK__TIME] = k == 1 ? h : 0;
  for (size_t i = 0; i < m->n_states; i++)
    row[m->state_symbol[i]] = states[i * x->n_rows + (size_t)k];
}

brink_status brink__dae_series(dae_live *live, const dae_program *p, double h,
                               const double *y, int order, void *work, double *out)
{
  const dae_model *m = live->m;
  expansion x = expansion_of(live, p, order, work);

  for (size_t i = 0; i < m->n; i++) {
    out[i * x.n_rows] = y[i];
    for (size_t k = 1; m->n_states == 0 && k < x.n_rows; k++)
      out[i * x.n_rows + k] = 0;
  }
  if (!begin(&x))
    return BRINK_EDOMAIN;
  for (int k = 1; k <= order; k++) {
    integrate(&x, k, h, out);
    if (k < order && !advance(&x, k))
      return BRINK_EDOMAIN;
  }
  return BRINK_OK;
}

brink_status brink__dae_series_along(dae_live *live, const dae_program *p, double h,
                                     const double *states, int order, void *work,
                                     double *out)
{
  expansion x = expansion_of(live, p, order, work);
  const brink__tape *tape = p->steps[p->n_steps - 1].tape;
  size_t root = brink__tape_slot(tape, brink__tape_n_roots(tape) - 1);

  if (!begin(&x))
    return BRINK_EDOMAIN;
  out[0] = row_of(&x, 0)[root];
  for (int k = 1; k <= order; k++) {
    follow(&x, k, h, states);
    if (!advance(&x, k))
      return BRINK_EDOMAIN;
    out[k] = row_of(&x, k)[root];
  }
  return BRINK_OK;
}
